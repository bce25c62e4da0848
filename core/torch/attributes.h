// SPDX-License-Identifier: GPL-3.0-or-later
// What hangs on a value: tensor.shape, tensor.float(), dict.keys() - all that is not an ATen operator.
#pragma once

#include "core/python/value.h"

namespace fx {

/// value.name; a method that is not yet called is a MethodObject. Throws Python's message where there is
/// none.
Value attributeOf(const Value& value, const std::string& name);
/// The same; none where there is none.
std::optional<Value> findAttributeOf(const Value& value, const std::string& name);

using PythonMethod = Value (*)(const Value& self, const Values& args, const NamedValues& kwargs);
/// The methods that are Python's, not ATen's; null for others.
PythonMethod findPythonMethod(const Value& self, const std::string& name);

} // namespace fx
