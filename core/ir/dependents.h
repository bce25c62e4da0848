// SPDX-License-Identifier: GPL-3.0-or-later
// What depends on nodes of a graph, and what they depend on.
#pragma once

#include "core/ir/graph.h"

#include <unordered_set>
#include <vector>

namespace fx {

/// The nodes and all that read them, directly or not, in the order of the graph.
std::vector<NodeId> dependentsOf(const Graph& graph, std::vector<NodeId> nodes);

/// What is some wires away from nodes.
struct Neighbourhood {
    std::unordered_set<NodeId> nodes; ///< those that it is of among them
    size_t hops = 0;                  ///< to the farthest of them
};

/// Follows wires against their direction (`ancestors`), along it (`descendants`), or each way by itself,
/// `most` wires far.
///   x -> a -> b -> c    ancestors of b, 1 hop: a, b    both: a, b, c
Neighbourhood neighbourhoodOf(const Graph& graph, const std::vector<NodeId>& of, bool ancestors,
                              bool descendants, size_t most);

} // namespace fx
