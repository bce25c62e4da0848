// SPDX-License-Identifier: GPL-3.0-or-later
// What depends on nodes of a graph.
#pragma once

#include "core/ir/graph.h"

#include <vector>

namespace fx {

/// The nodes and all that read them, directly or not, in the order of the graph.
std::vector<NodeId> dependentsOf(const Graph& graph, std::vector<NodeId> nodes);

} // namespace fx
