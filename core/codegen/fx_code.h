// SPDX-License-Identifier: GPL-3.0-or-later
// Selected nodes as a program for torch.fx: lines that find them in a graph, and a function that builds the
// same calls in any graph.
#pragma once

#include "core/ir/graph.h"

#include <string>
#include <vector>

namespace fx {

/// Python over a name `graph`. The function takes the nodes that are read and not selected, and gives those
/// that nobody selected reads. `nodes` in any order; no text for none.
std::string fxCode(const Graph& graph, std::vector<NodeId> nodes);

} // namespace fx
