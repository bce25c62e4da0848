// SPDX-License-Identifier: GPL-3.0-or-later
// Methods such as __add__ that the class of an instance says what an operator or a builtin function means by.
#pragma once

#include "core/python/value.h"

#include <optional>
#include <string_view>

namespace fx {

/// Whether its class may define operators in Python.
bool hasDunders(const Value& value);
/// The method of the value's class, called; none where there is none, or where it is only object's.
std::optional<Value> callDunder(Evaluator& evaluator, const Value& self, std::string_view name, Values args);

} // namespace fx
