// SPDX-License-Identifier: GPL-3.0-or-later
// What is in a container: subscripts, membership, length, and ints by __index__.
#pragma once

#include "core/python/value.h"

namespace fx {

Value subscript(Evaluator& evaluator, const Value& object, const Value& index);
void setSubscript(Evaluator& evaluator, const Value& object, const Value& index, Value value);
void deleteSubscript(Evaluator& evaluator, const Value& object, const Value& index);
bool contains(Evaluator& evaluator, const Value& container, const Value& item);
int64_t lengthOf(Evaluator& evaluator, const Value& value);
/// int(value) by __index__: "'str' object cannot be interpreted as an integer".
int64_t indexOf(Evaluator& evaluator, const Value& value);

} // namespace fx
