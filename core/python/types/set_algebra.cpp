// SPDX-License-Identifier: GPL-3.0-or-later
// The set algebra that sets, frozensets and the views of dicts share. Comparing keys may run code that
// changes the sets: what is gone through is a copy.
#include "core/python/types/mappings.h"

namespace fx {

namespace {

using Entries = std::vector<SetTable::Entry>;

const SetTable* setTableOf(const Value& value) {
    const auto* set = plainOf(value).as<SetObject>();
    return set ? &set->table : nullptr;
}

template <class Use>
void forEach(Evaluator& evaluator, const Value& iterable, Use use) {
    const Value iterator = evaluator.iterator(iterable);
    while (const std::optional<Value> item = evaluator.next(iterator)) {
        evaluator.step();
        use(*item);
    }
}

/// The keys of the first that the second has, or has not.
SetTable chosen(const SetTable& from, const SetTable& other, bool isWanted) {
    SetTable out;
    const SetTable held = other;
    for (const SetTable::Entry& entry : Entries(from.entries()))
        if (held.has(entry.key) == isWanted)
            out.add(entry.key);
    return out;
}

} // namespace

bool isSubset(const SetTable& part, const SetTable& whole) {
    if (part.size() > whole.size())
        return false;
    for (const SetTable::Entry& entry : Entries(part.entries()))
        if (!whole.has(entry.key))
            return false;
    return true;
}

SetTable setTableOf(Evaluator& evaluator, const Value& iterable) {
    if (std::optional<SetTable> table = asSetTable(evaluator, iterable))
        return std::move(*table);
    SetTable table;
    updateSet(evaluator, table, iterable);
    return table;
}

void updateSet(Evaluator& evaluator, SetTable& table, const Value& iterable) {
    if (const SetTable* other = setTableOf(iterable)) {
        if (other != &table)
            table.merge(*other);
        return;
    }
    if (const auto* dict = iterable.as<DictObject>())
        table.expect(dict->size());
    forEach(evaluator, iterable, [&](const Value& item) {
        if (table.size() % 65536 == 65535)
            evaluator.reserve(table.size() * sizeof(SetTable::Entry));
        table.add(item);
    });
}

SetTable unionOf(Evaluator& evaluator, const SetTable& a, const Value& iterable) {
    SetTable out = a.copied();
    if (&a != setTableOf(iterable))
        updateSet(evaluator, out, iterable);
    return out;
}

SetTable intersection(Evaluator& evaluator, const SetTable& a, const Value& iterable) {
    const SetTable* other = setTableOf(iterable);
    if (other == &a)
        return a.copied();
    if (other)
        return other->size() > a.size() ? chosen(a, *other, true) : chosen(*other, a, true);
    SetTable out;
    const SetTable held = a;
    forEach(evaluator, iterable, [&](const Value& item) {
        if (held.has(item))
            out.add(item);
    });
    return out;
}

void subtract(Evaluator& evaluator, SetTable& table, const Value& iterable) {
    const SetTable* other = setTableOf(iterable);
    if (other == &table)
        return table.clear();
    forEach(evaluator, other ? makeSet(*other) : iterable, [&](const Value& item) { table.erase(item); });
    table.shrink();
}

SetTable difference(Evaluator& evaluator, const SetTable& a, const Value& iterable) {
    const SetTable* other = setTableOf(iterable);
    const auto* dict = plainOf(iterable).as<DictObject>();
    const size_t size = other ? other->size() : dict ? dict->size() : 0;
    if ((other || dict) && a.size() / 4 <= size)
        return chosen(a, setTableOf(evaluator, iterable), false);
    SetTable out = a.copied();
    subtract(evaluator, out, iterable);
    return out;
}

void toggle(Evaluator& evaluator, SetTable& table, const Value& iterable) {
    if (setTableOf(iterable) == &table)
        return table.clear();
    const bool isDict = plainOf(iterable).as<DictObject>() != nullptr;
    const Value keys = isDict ? iterable : makeSet(setTableOf(evaluator, iterable));
    forEach(evaluator, keys, [&](const Value& item) {
        if (!table.erase(item))
            table.add(item);
    });
}

SetTable symmetricDifference(Evaluator& evaluator, const SetTable& a, const Value& iterable) {
    const Value held = makeSet(a);
    SetTable out;
    updateSet(evaluator, out, iterable);
    toggle(evaluator, out, held);
    return out;
}

std::optional<SetTable> asSetTable(Evaluator& evaluator, const Value& value) {
    if (const SetTable* table = setTableOf(value))
        return *table;
    const auto view = viewedDict(value);
    if (!view || view->second == DictView::Values)
        return std::nullopt;
    SetTable out;
    updateSet(evaluator, out, value);
    return out;
}

} // namespace fx
