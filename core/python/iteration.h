// SPDX-License-Identifier: GPL-3.0-or-later
// Going through an iterable by the protocol of iterators, whoever serves it.
#pragma once

#include "core/python/value.h"

#include <optional>

namespace fx {

bool isIterable(Evaluator& evaluator, const Value& value);
Value iteratorOf(Evaluator& evaluator, const Value& iterable);
/// The next value of an iterator, or nothing at its end.
std::optional<Value> nextOf(Evaluator& evaluator, const Value& iterator);
/// All items of an iterable.
Values allItems(Evaluator& evaluator, const Value& iterable);

} // namespace fx
