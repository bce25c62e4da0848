// SPDX-License-Identifier: GPL-3.0-or-later
// The names of a module or class body: a dict, or the mapping that `__prepare__` of a metaclass has made.
#pragma once

#include "core/python/value.h"

#include <optional>

namespace fx {

std::optional<Value> findName(Evaluator& evaluator, const Value& names, const Value& name);
void setName(Evaluator& evaluator, const Value& names, const Value& name, Value value);
/// False where there is no such name.
bool eraseName(Evaluator& evaluator, const Value& names, const Value& name);

} // namespace fx
