// SPDX-License-Identifier: GPL-3.0-or-later
// `object.name = value` and `del object.name`.
#pragma once

#include "core/python/value.h"

#include <string>

namespace fx {

void setAttribute(Evaluator& evaluator, const Value& object, const std::string& name, Value value);
void deleteAttribute(Evaluator& evaluator, const Value& object, const std::string& name);
/// object.__setattr__ and __delattr__ of an instance: without what its class says of its own.
void setPlainly(Evaluator& evaluator, const Value& instance, const std::string& name, Value value);
void deletePlainly(Evaluator& evaluator, const Value& instance, const std::string& name);
/// type.__setattr__.
void setOnClass(const Value& type, const std::string& name, Value value);

} // namespace fx
