// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/dependents.h"

#include <algorithm>
#include <utility>

namespace fx {

std::vector<NodeId> dependentsOf(const Graph& graph, std::vector<NodeId> nodes) {
    std::unordered_set<NodeId> reached(nodes.begin(), nodes.end());
    for (size_t i = 0; i < nodes.size(); ++i)
        for (const NodeId user : graph.node(nodes[i]).users)
            if (reached.insert(user).second)
                nodes.push_back(user);
    std::ranges::sort(nodes, [&](NodeId a, NodeId b) { return graph.precedes(a, b); });
    return nodes;
}

Neighbourhood neighbourhoodOf(const Graph& graph, const std::vector<NodeId>& of, bool ancestors,
                              bool descendants, size_t most) {
    Neighbourhood out;
    out.nodes.insert(of.begin(), of.end());
    const auto follow = [&](bool isUpwards) {
        std::unordered_set<NodeId> reached(of.begin(), of.end());
        std::vector<NodeId> ring = of, next;
        for (size_t hop = 1; hop <= most && !ring.empty(); ++hop, ring = std::exchange(next, {})) {
            const auto reach = [&](NodeId node) {
                if (reached.insert(node).second)
                    next.push_back(node);
            };
            for (const NodeId node : ring) {
                if (isUpwards)
                    for (const InputUse& use : graph.node(node).inputs)
                        reach(use.node);
                else
                    for (const NodeId user : graph.node(node).users)
                        reach(user);
            }
            out.hops = next.empty() ? out.hops : std::max(out.hops, hop);
        }
        out.nodes.merge(reached);
    };
    if (ancestors)
        follow(true);
    if (descendants)
        follow(false);
    return out;
}

} // namespace fx
