// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/quantize/selection.h"

#include "core/base/text.h"
#include "core/base/wildcards.h"

#include <algorithm>

namespace fx {

namespace {

std::string_view lastPart(std::string_view name) {
    return name.substr(name.rfind('.') + 1);
}

/// The names of a call: its own, what it calls, and the modules around it with their classes.
std::vector<std::string> namesOf(const Node& node, const Module* module, std::string_view call) {
    std::vector<std::string> out = {node.name, std::string(call)};
    const auto addPath = [&](std::string_view path) {
        for (; !path.empty(); path = path.substr(0, path.rfind('.') == path.npos ? 0 : path.rfind('.')))
            out.emplace_back(path);
    };
    if (module) {
        addPath(node.target.name());
        out.push_back(module->type);
        out.emplace_back(lastPart(module->type));
    }
    if (const auto* stack = node.meta.find<ModuleStack>(meta::kModuleStack))
        for (const ModuleFrame& frame : *stack) {
            addPath(frame.path);
            if (frame.path.empty())
                continue;
            out.push_back(frame.type);
            out.emplace_back(lastPart(frame.type));
        }
    return out;
}

} // namespace

CallPatterns::CallPatterns(std::string_view text) {
    for (const std::string_view part : split(text, ','))
        if (const std::string_view word = trim(part); !word.empty())
            m_words.push_back({std::string(word)});
}

bool CallPatterns::matches(const Node& node, const Module* module, std::string_view call) const {
    if (isEmpty())
        return false;
    bool isMatch = false;
    for (const std::string& name : namesOf(node, module, call))
        for (const Word& word : m_words)
            if (matchesPattern(word.text, name))
                isMatch = word.isUsed = true;
    return isMatch;
}

std::vector<std::string> CallPatterns::unused() const {
    std::vector<std::string> out;
    for (const Word& word : m_words)
        if (!word.isUsed)
            out.push_back(word.text);
    return out;
}

std::string LayerSelection::obstacle(const Node& node, const Module* module, std::string_view call) const {
    if (skip.matches(node, module, call))
        return "as asked for by --skip";
    if (!only.isEmpty() && !only.matches(node, module, call))
        return "as --only does not name them";
    return {};
}

} // namespace fx
