// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of torch's functions, of methods and modules as the overloads of torch.ops that they come to: what an
// exported program consists of.
//   before  a = torch.relu(x)                        b = a + 2.0
//   after   a = torch.ops.aten.relu.default(x)       b = torch.ops.aten.add.Tensor(a, 2.0)
#pragma once

#include "core/module/edit.h"

#include <vector>

namespace fx {

/// Puts operators in the place of these calls, which keep their ids and names. A call of Python in torch
/// becomes several nodes, of which it is the last; the new ones stand before it and are given. A call stays
/// as it is where no single overload is known for it, or its sizes decide what it does and are not recorded.
std::vector<NodeId> callOperators(Edit& edit, const std::vector<NodeId>& calls);

/// A pattern, or what takes its place, as it stands in that graph: of operators where the graph consists of
/// them.
Model patternFor(const Graph& graph, Model pattern);

} // namespace fx
