// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers in the rules of operator_bounds.txt: sums of products, size(self,1)*arg(groups)+1.
#pragma once

#include "core/torch/bind/bounds_rules.h"

#include <optional>
#include <string_view>

namespace fx {

/// None where a tensor is left out or has no such axis, or where the number is too large.
using BoundsFormula = std::function<std::optional<int64_t>(const BoundedCall&)>;

/// Parts of a formula: an int; arg(A), an int argument; numel(A); size(A,AXIS); plane(A,N), the product of
/// the last N sizes. None where the overload lacks an argument.
std::optional<BoundsFormula> boundsFormula(std::string_view text, const c10::FunctionSchema& schema);
int64_t boundsNumber(std::string_view word);

} // namespace fx
