// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments of TorchScript's operators, as the parameters they are for say what they mean in Python.
#pragma once

#include "core/python/value.h"

#include <ATen/core/function_schema.h>

#include <map>
#include <string>

namespace fx {

using ValuesByName = std::map<std::string, Value, std::less<>>;

/// A list of ints, which people write as a tuple or spread.
bool isSizes(const c10::Argument& parameter);
/// The ints of TorchScript that are something else in Python: dtypes, layouts, memory formats.
Value pythonValue(const Value& value, const c10::Argument& parameter);
/// Whether the value is known, and what the parameter has without it.
bool isDefault(const Value& value, const c10::Argument& parameter);
/// Lists of numbers are tuples to most people.
Value asTuple(const Value& value);

} // namespace fx
