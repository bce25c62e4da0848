// SPDX-License-Identifier: GPL-3.0-or-later
// What dicts, their views and sets do, for the types and the operators alike.
#pragma once

#include "core/python/types/support.h"

namespace fx {

/// The values of a set, a frozenset or a dict view as a table; none for anything else.
std::optional<SetTable> asSetTable(Evaluator& evaluator, const Value& value);
/// The same of any iterable, as the methods take it.
SetTable setTableOf(Evaluator& evaluator, const Value& iterable);
void updateSet(Evaluator& evaluator, SetTable& table, const Value& iterable);
/// In CPython's ways, which decide in what order the results are.
SetTable unionOf(Evaluator& evaluator, const SetTable& a, const Value& iterable);
SetTable intersection(Evaluator& evaluator, const SetTable& a, const Value& iterable);
SetTable difference(Evaluator& evaluator, const SetTable& a, const Value& iterable);
SetTable symmetricDifference(Evaluator& evaluator, const SetTable& a, const Value& iterable);
/// set.difference_update() and set.symmetric_difference_update().
void subtract(Evaluator& evaluator, SetTable& table, const Value& iterable);
void toggle(Evaluator& evaluator, SetTable& table, const Value& iterable);
bool isSubset(const SetTable& part, const SetTable& whole);

/// dict.update(given): a mapping, or pairs.
void updateDict(Evaluator& evaluator, const Value& dict, const Value& given);

enum class DictView : uint8_t { Keys, Values, Items };
Value makeDictView(Evaluator& evaluator, const Value& dict, DictView kind);
/// The dict that a view is of; none for anything else.
std::optional<std::pair<Value, DictView>> viewedDict(const Value& view);

void addDictType(Evaluator& evaluator);
void addDictViews(Evaluator& evaluator);
void addSetTypes(Evaluator& evaluator);

} // namespace fx
