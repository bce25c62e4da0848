// SPDX-License-Identifier: GPL-3.0-or-later
// What `object.name` means. Setting and deleting are in set_attributes.h.
#pragma once

#include "core/python/value.h"

#include <optional>
#include <string>

namespace fx {

Value attributeOf(Evaluator& evaluator, const Value& object, const std::string& name);
/// None where there is no such attribute, as hasattr() says it.
std::optional<Value> findAttribute(Evaluator& evaluator, const Value& object, const std::string& name);
/// The function that `object.name(...)` calls with `object` first, which saves a bound method; of super(),
/// `object` becomes the instance. None: the attribute is what is called.
std::optional<Value> methodOf(Evaluator& evaluator, Value& object, const std::string& name);
/// What a name found on a class becomes when it is read off `self`: a bound method, a property's value.
Value bindAttribute(Evaluator& evaluator, const Value& found, const Value& self, const Value& type);
/// object.__getattribute__ of an instance: without its class's own, and without `__getattr__`.
std::optional<Value> findPlainly(Evaluator& evaluator, const Value& instance, const std::string& name);

} // namespace fx
