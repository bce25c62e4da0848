// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/stack_traces.h"

#include <algorithm>

namespace fx {

/// Python's own form of one call in a traceback.
static std::string frameText(const CallSite& site) {
    const std::string_view line = site.file->line(site.line);
    const size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
    const size_t dot = site.function.rfind('.');
    std::string out = "  File \"" + site.file->path + "\", line " + std::to_string(site.line) + ", in " +
                      (dot == std::string::npos ? site.function : site.function.substr(dot + 1)) + "\n    ";
    out += line.substr(indent);
    // Python marks the place within the line by carets below it.
    const size_t column = static_cast<size_t>(site.column) - 1;
    if (column > indent)
        out += "\n    " + std::string(column - indent, ' ') + '^';
    return out + '\n';
}

size_t StackTraces::PlacesHash::operator()(const Frames::Places& places) const {
    size_t seed = places.size();
    for (const auto& [tree, offset] : places)
        seed = (seed ^ reinterpret_cast<size_t>(tree) ^ offset) * 0x9E3779B97F4A7C15ull;
    return seed;
}

SharedMeta StackTraces::current(const Frames& frames) {
    constexpr size_t kMostFrames = 12;
    frames.findPlaces(m_places, kMostFrames);
    if (const auto known = m_known.find(m_places); known != m_known.end())
        return known->second;
    SharedMeta& fresh = m_known[m_places];
    std::string out;
    for (size_t i = m_places.size(); i-- > 0;) {
        std::string& text = m_frameTexts[m_places[i]];
        if (text.empty())
            text = frameText(frames.userSite(i));
        out += text;
    }
    if (!out.empty())
        fresh = std::move(out);
    return fresh;
}

SharedMeta StackTraces::textOf(const Frames::Trace& trace) {
    std::string out;
    for (const CallSite& site : trace)
        if (!site.file->isLibrary())
            out = frameText(site) + out;
    return out.empty() ? SharedMeta() : SharedMeta(std::move(out));
}

void StackTraces::clear() {
    m_known.clear();
    m_frameTexts.clear();
}

} // namespace fx
