// SPDX-License-Identifier: GPL-3.0-or-later
// All that a graph is, as plain values: for a copy of it in another process or in a file, in which every id
// and every later name comes out equal. Written from a Graph's own accessors; graphOf() goes the other way
// and believes nothing.
#pragma once

#include "core/ir/graph.h"

namespace fx {

struct GraphContent {
    /// Every node that ever was, by its id. Users, neighbours and order are left out: they follow from the
    /// rest.
    StableVector<Node> nodes;
    std::vector<uint32_t> nextUses; ///< for each node the number that its next reader will be given
    std::vector<NodeId> order;      ///< the nodes that are not erased, as they stand
    NameTable names;
    std::optional<Signature> signature;
};

/// Throws an Error where the parts do not fit each other.
Graph graphOf(GraphContent content);

/// Throws an Error unless all nodes in the arguments are the graph's, and their uses are those of the nodes
/// that the arguments read.
void requireReads(const Graph& graph, const CallArguments& arguments);
void requireKnown(const Graph& graph, const MetaValue& value);

} // namespace fx
