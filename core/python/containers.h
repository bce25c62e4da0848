// SPDX-License-Identifier: GPL-3.0-or-later
// Length, iteration and augmented assignment of builtin containers.
#pragma once

#include "core/python/evaluator.h"

namespace fx {

/// None for what is no builtin container.
std::optional<int64_t> lengthPlain(const Value& value);
/// An iterator over it, live as Python's: a list that grows is followed, a dict that changes its size is
/// refused.
std::optional<Value> iteratorPlain(Evaluator& evaluator, const Value& iterable);
/// `a op= b` of a list, set, dict or bytearray, which changes it; the value is then None. None at all where
/// the type has no such operation of its own.
std::optional<Value> operatePlainInPlace(Evaluator& evaluator, Operator op, const Value& a, const Value& b);

} // namespace fx
