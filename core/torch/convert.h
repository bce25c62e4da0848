// SPDX-License-Identifier: GPL-3.0-or-later
// Values as the types that an operator's schema asks for, by the rules of Python's calling convention.
#pragma once

#include "core/python/value.h"

#include <ATen/core/function_schema.h>

#include <optional>

namespace fx {

struct Converted {
    c10::IValue value;
    int effort =
        0; ///< 0: as it is; more: the further the value was from the type. Overloads are ranked by it.
};

/// None where the value cannot be such an argument.
std::optional<Converted> convert(const Value& value, const c10::Argument& parameter);
std::optional<Converted> convert(const Value& value, const c10::TypePtr& type);

/// Whether data that came out of an operator may go into the parameter without a look at it.
bool takesTensorOnly(const c10::Argument& parameter);

} // namespace fx
