// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces calls of torch's functions, methods and modules by overloads of torch.ops, of which an exported
// program consists.
//   before  a = torch.relu(x)                        b = a + 2.0
//   after   a = torch.ops.aten.relu.default(x)       b = torch.ops.aten.add.Tensor(a, 2.0)
#pragma once

#include "core/module/edit.h"

#include <vector>

namespace fx {

/// Replaces these calls, which keep their ids and names, and records the shapes of their values. A call of
/// Python in torch becomes several nodes, the last of which is the call. Gives the calls with the new nodes
/// before each. A call stays as it is where no operators are known for it, or where its sizes decide what it
/// does and are not recorded.
std::vector<NodeId> callOperators(Edit& edit, const std::vector<NodeId>& calls);
/// The same for all calls of the graph.
void callOperators(Edit& edit);

/// A pattern, or what takes its place, as it stands in that graph: of operators where the graph consists of
/// them.
Model patternFor(const Graph& graph, Model pattern);

} // namespace fx
