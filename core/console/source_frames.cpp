// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/console/source_frames.h"

#include "core/base/text.h"
#include "core/module/scopes.h"

#include <algorithm>
#include <cstdlib>

namespace fx {

std::vector<SourceFrame> sourceFrames(const Node& node) {
    std::vector<SourceFrame> frames;
    const auto* trace = node.meta.find<std::string>(meta::kStackTrace);
    if (!trace)
        return frames;
    for (std::string_view line : split(*trace, '\n')) {
        const std::string_view text = trim(line);
        const size_t quote = text.starts_with("File \"") ? text.find('"', 6) : std::string_view::npos;
        if (quote != std::string_view::npos) {
            SourceFrame& frame = frames.emplace_back();
            frame.file = text.substr(6, quote - 6);
            const size_t number = text.find("line ", quote);
            if (number != std::string_view::npos)
                frame.line = std::atoi(text.data() + number + 5);
            if (const size_t in = text.find(", in ", quote); in != std::string_view::npos)
                frame.function = text.substr(in + 5);
        } else if (!frames.empty() && frames.back().code.empty() &&
                   text.find_first_not_of("^~ ") != std::string_view::npos) {
            frames.back().code = text;
        }
    }
    return frames;
}

ModuleStack moduleFrames(const Node& node) {
    const auto* stack = node.meta.find<ModuleStack>(meta::kModuleStack);
    return stack ? *stack : ModuleStack();
}

namespace {

/// Code that was generated while exporting, and PyTorch's own: not what a user looks for first.
bool isForeign(const std::string& file) {
    return file.starts_with('<') || file.starts_with("torch/") || contains(file, "-packages/torch/");
}

/// The frame that a user wants to see, by index: the innermost of their own, else the innermost in a file.
std::optional<size_t> indexOfSource(const std::vector<SourceFrame>& frames) {
    for (size_t i = frames.size(); i-- > 0;)
        if (!isForeign(frames[i].file))
            return i;
    for (size_t i = frames.size(); i-- > 0;)
        if (!frames[i].file.starts_with('<'))
            return i;
    return frames.empty() ? std::nullopt : std::optional(frames.size() - 1);
}

} // namespace

std::optional<SourceFrame> sourceOf(const Node& node) {
    const std::vector<SourceFrame> frames = sourceFrames(node);
    const std::optional<size_t> index = indexOfSource(frames);
    return index ? std::optional(frames[*index]) : std::nullopt;
}

std::string sourceText(const Node& node) {
    const std::vector<SourceFrame> frames = sourceFrames(node);
    const std::optional<size_t> index = indexOfSource(frames);
    if (!index)
        return {};
    const SourceFrame& frame = frames[*index];
    std::string out = frame.file.substr(frame.file.rfind('/') + 1) + ':' + std::to_string(frame.line);
    if (frame.function.empty())
        return out;
    // Each call of forward belongs to one module, in the same order.
    const auto calls = std::count_if(frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(*index) + 1,
                                     [](const SourceFrame& f) { return f.function == "forward"; });
    const ModuleStack modules = moduleFrames(node);
    const bool isMethod =
        frame.function == "forward" && calls > 0 && calls <= static_cast<std::ptrdiff_t>(modules.size());
    return out + ", in " +
           (isMethod ? shortTypeName(modules[static_cast<size_t>(calls) - 1].type) + '.' : std::string()) +
           frame.function;
}

} // namespace fx
