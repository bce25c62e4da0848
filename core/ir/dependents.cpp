// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/dependents.h"

#include <algorithm>
#include <unordered_set>

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

} // namespace fx
