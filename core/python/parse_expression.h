// SPDX-License-Identifier: GPL-3.0-or-later
// One expression as a tree, for those who read data that is written like Python and evaluate nothing.
#pragma once

#include "core/python/tree.h"

namespace fx {

/// Throws an Error of kind "SyntaxError" that points at the fault; `place` names the source in it.
Expression parseExpression(std::string_view source, const std::string& place);

/// What a Constant of such an expression is as an argument of a node; throws for bytes and ints beyond 64
/// bits.
Argument constantArgument(const Expression& constant);

} // namespace fx
