// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of operator_bounds.txt: what must hold between the arguments of an operator so that its kernel
// stays within the memory of its tensors. The table describes them; operator_bounds.h applies them.
#pragma once

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include <functional>
#include <optional>
#include <string_view>

namespace fx {

/// One call of an operator, before it runs.
struct BoundedCall {
    const c10::FunctionSchema& schema;
    at::ArrayRef<c10::IValue> args; ///< one for each argument of the schema
};

/// Throws an Error that names the operator, the argument and the remedy. Passes what depends on symbols, and
/// the values of tensors without data.
using BoundsCheck = std::function<void(const BoundedCall&)>;

/// The check of a rule for one overload; none where this overload lacks an argument that the rule names.
/// Throws an Error for a rule that cannot be read.
std::optional<BoundsCheck> boundsRule(std::string_view rule, const c10::FunctionSchema& schema);

} // namespace fx
