// SPDX-License-Identifier: GPL-3.0-or-later
// What the last word of a line can become: the console's words, the nodes of the graph, and what breakpoints
// are named by.
#include "core/base/text.h"
#include "core/console/console.h"
#include "core/module/scopes.h"

#include <set>

namespace fx {

namespace {

/// Where the last word begins: what an expression has no place for in a name ends it.
size_t lastWordAt(const std::string& line) {
    const size_t before =
        line.find_last_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.=");
    return before == std::string::npos ? 0 : before + 1;
}

} // namespace

std::vector<std::string> Console::completions(const std::string& line) const {
    const size_t begin = lastWordAt(line);
    const std::string word = line.substr(begin);
    const std::string_view before = trim(std::string_view(line).substr(0, begin));
    std::set<std::string> found;
    const auto offer = [&](const std::string& text) {
        if (text.starts_with(word))
            found.insert(text);
    };
    const NodeRef at = here();
    const Graph& graph = m_control.model().graph(at.module);
    if (before.empty())
        for (const Word& each : words())
            for (const std::string_view name : split(each.names, ' '))
                if (name.size() > 1)
                    offer(std::string(name));
    for (const Node& node : graph)
        offer(node.name);
    if (before == "b" || before == "break" || before == "tbreak") {
        for (const Node& node : graph) {
            offer("op=" + std::string(opcodeName(node.opcode)));
            if (!node.target.name().empty())
                offer("target=" + node.target.name());
        }
        const ScopeTree tree(graph);
        for (const Scope& scope : tree.scopes())
            if (!scope.path.empty())
                offer("scope=" + scope.path);
    }
    std::vector<std::string> out;
    for (const std::string& text : found)
        out.push_back(line.substr(0, begin) + text);
    return out;
}

} // namespace fx
