// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/seek.h"

#include "core/run/breakpoints.h"

#include <algorithm>
#include <cctype>

namespace fx {

namespace {

/// True if the expression contains the name as a word that is not an attribute.
bool names(const std::string& expression, const std::string& name) {
    const auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (size_t at = expression.find(name); at != std::string::npos; at = expression.find(name, at + 1)) {
        const size_t end = at + name.size();
        const bool begins = at == 0 || (!isPart(expression[at - 1]) && expression[at - 1] != '.');
        if (begins && (end == expression.size() || !isPart(expression[end])))
            return true;
    }
    return false;
}

} // namespace

NodeId pausableBefore(const Graph& graph, NodeId node) {
    for (node = graph.node(node).previous; node; node = graph.node(node).previous) {
        const Node& each = graph.node(node);
        if (!each.isErased && each.opcode != Opcode::Placeholder && each.opcode != Opcode::GetAttr)
            break;
    }
    return node;
}

NodeId Seek::moveBack(NodeRef at, const ScopeTree& scopes, const std::vector<Breakpoint>& breakpoints) {
    const Graph& graph = m_model.graph(at.module);
    NodeId target;
    for (NodeId node = pausableBefore(graph, at.node); node; node = pausableBefore(graph, node)) {
        target = node;
        const NodeId previous = pausableBefore(graph, node);
        const int scope = previous ? scopes.scopeOf(previous) : -1;
        const bool mayStop = std::ranges::any_of(breakpoints, [&](const Breakpoint& each) {
            return each.isEnabled && isAt(each, graph.node(node), {at.module, node}, scopes, scope, false);
        });
        // Before this node there was no such value.
        const auto made = std::ranges::find_if(
            m_begin, [&](const auto& each) { return names(each.first, graph.node(node).name); });
        m_made = made == m_begin.end() ? "" : made->first;
        m_isLast = !previous || !m_made.empty();
        if (mayStop || m_isLast || (!m_begin.empty() && m_effects.of(at.module, graph.node(node)).any()))
            break;
    }
    m_target = {at.module, target};
    return target;
}

std::vector<std::string> Seek::watched() const {
    std::vector<std::string> out;
    for (const auto& [expression, value] : m_begin)
        out.push_back(expression);
    return out;
}

std::string Seek::changed(const Values& now) const {
    for (const auto& [expression, value] : now)
        if (value != m_begin.at(expression))
            return expression;
    return {};
}

} // namespace fx
