// SPDX-License-Identifier: GPL-3.0-or-later
// Values as the types that an operator's schema asks for, by the rules of torch.ops.
#pragma once

#include "core/python/value.h"

#include <ATen/core/function_schema.h>

#include <optional>

namespace fx {

struct Converted {
    c10::IValue value;
};

/// None where the value cannot be such an argument. `takesNumbers`: a number may be a tensor.
std::optional<Converted> convert(const Value& value, const c10::Argument& parameter,
                                 bool takesNumbers = true);
std::optional<Converted> convert(const Value& value, const c10::TypePtr& type, bool takesNumbers = true);

/// Whether data that came out of an operator may go into the parameter without a look at it.
bool takesTensorOnly(const c10::Argument& parameter);

} // namespace fx
