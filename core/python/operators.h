// SPDX-License-Identifier: GPL-3.0-or-later
// Operators, truth, equality and hashing: who of the operands, their hosts or the builtin types answers.
#pragma once

#include "core/ir/python_operators.h"
#include "core/python/value.h"

#include <optional>

namespace fx {

/// Binary and comparing operators, with the dunder methods of instances on either side.
Value operate(Evaluator& evaluator, Operator op, const Value& a, const Value& b);
Value operateInPlace(Evaluator& evaluator, Operator op, const Value& a, const Value& b);
Value operateUnary(Evaluator& evaluator, Operator op, const Value& a);
bool isTrue(Evaluator& evaluator, const Value& value);
bool areEqual(Evaluator& evaluator, const Value& a, const Value& b);
/// hash(value).
size_t hashValue(Evaluator& evaluator, const Value& value);

/// Operators on builtin values that are not instances, tensors or proxies: numbers, texts, sequences, sets,
/// dicts. None where Python has no such operation.
std::optional<Value> operatePlain(Evaluator* evaluator, Operator op, const Value& a, const Value& b);
std::optional<Value> operatePlainUnary(Operator op, const Value& a);

} // namespace fx
