// SPDX-License-Identifier: GPL-3.0-or-later
// The methods of numbers beyond operators.
#pragma once

#include "core/python/types/support.h"

namespace fx {

void addIntMethods(ClassData& type);
void addFloatMethods(ClassData& type);
void addComplexMethods(ClassData& type);

/// abs()
Value absoluteOf(const Value& number);
/// divmod() of two real numbers.
Value dividedWithRest(Evaluator& evaluator, const Value& a, const Value& b);

} // namespace fx
