// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs as torch.fx prints them, byte for byte: str(graph), print_tabular, Node.format_node.
#pragma once

#include "core/ir/graph.h"

#include <functional>
#include <string>

namespace fx {

/// str(graph): no newline at the end.
std::string graphText(const Graph& graph);
/// What print_tabular prints, newline included. `functionText` is str() of a function; without it those that
/// Python shows with an address have none.
std::string tabularText(const Graph& graph, const std::function<std::string(Target)>& functionText = nullptr);
/// `withTensors`: a call_* node whose value is a tensor shows "f32[3, 4][4, 1]cpu".
std::string formatNode(const Graph& graph, NodeId id, bool withTensors = false);

} // namespace fx
