// SPDX-License-Identifier: GPL-3.0-or-later
// Plain arguments as Python sees them: their type, whether they are equal, what a loop over them gives.
// A pattern is compared by these rules: 3 is no 3.0 for it, but (3, [1]) may be (3, [1.0]).
#pragma once

#include "core/ir/argument.h"

#include <optional>
#include <string>

namespace fx {

/// `type(value).__name__` of what torch.fx holds there: "int", "NoneType", "immutable_list".
std::string pythonTypeName(const Argument& value);

/// Whether nodes of the two arguments can be the same: those of one graph, or none of them.
enum class NodesAre { OfOneGraph, OfTwoGraphs };

/// Python's `a == b`.
bool isEqualInPython(const Argument& a, const Argument& b, NodesAre nodes);
/// Python's `type(a) is type(b) and a == b`.
bool isSameLiteral(const Argument& a, const Argument& b, NodesAre nodes);

/// What a Python loop over the value gives; none for what has no length.
std::optional<Arguments> pythonItems(const Argument& value);

} // namespace fx
