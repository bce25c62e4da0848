// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rewrite/subgraph_matcher.h"

#include "core/base/error.h"
#include "core/rewrite/match_search.h"
#include "core/torch/bind/purity.h"

namespace fx {

const Argument* PatternMap::find(NodeId pattern) const {
    const auto at = static_cast<size_t>(pattern.value);
    const bool isMet = at < m_indexOf.size() && m_indexOf[at] >= 0;
    return isMet ? &m_entries[static_cast<size_t>(m_indexOf[at])].value : nullptr;
}

void PatternMap::reserve(size_t entries, NodeId nextPatternId) {
    m_entries.reserve(entries);
    m_indexOf.resize(static_cast<size_t>(nextPatternId.value), -1);
}

void PatternMap::add(NodeId pattern, Argument value) {
    m_indexOf[static_cast<size_t>(pattern.value)] = static_cast<int32_t>(m_entries.size());
    m_entries.push_back({pattern, std::move(value)});
}

void PatternMap::replaceFirst(const Argument& value, const Argument& fresh) {
    for (Entry& entry : m_entries) {
        if (entry.value == value) {
            entry.value = fresh;
            return;
        }
    }
}

SubgraphMatcher::SubgraphMatcher(OwnedGraph pattern, MatchOptions options)
    : m_pattern(pattern), m_options(options) {
    const Graph& graph = pattern.graph();
    if (graph.size() == 0)
        throw Error("", "SubgraphMatcher cannot be initialized with an empty pattern").kind("ValueError");
    for (const Node& node : graph) {
        if (node.opcode == Opcode::Placeholder)
            m_placeholders.push_back(node.id);
        const bool isDead = node.opcode != Opcode::Output && node.users.empty() &&
                            !isImpure(*pattern.model, pattern.module, node);
        if (isDead)
            throw Error("", "SubgraphMatcher cannot be initialized with an pattern with dead code")
                .kind("AssertionError")
                .hint("nobody reads '" + node.name + "' of the pattern");
    }
    for (const InputUse& use : graph.node(graph.last()).inputs) {
        m_returned.push_back(use.node);
        if (!options.matchOutput && graph.node(use.node).users.size() == 1)
            m_anchors.push_back(use.node);
    }
    if (options.matchOutput)
        m_anchors = {graph.last()};
}

std::vector<SubgraphMatch> SubgraphMatcher::match(OwnedGraph target,
                                                  std::string_view nodeNameContains) const {
    return MatchSearch(*this, target, nodeNameContains).run();
}

} // namespace fx
