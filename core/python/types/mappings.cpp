// SPDX-License-Identifier: GPL-3.0-or-later
// Operators on dicts and sets, and the set algebra that their methods share.
#include "core/python/types/mappings.h"

#include "core/python/types/operations.h"
#include "core/python/types/sequences.h"

namespace fx {

namespace {

bool has(const DictObject& table, const Value& key) {
    return const_cast<DictObject&>(table).find(key) != nullptr; // finding changes nothing
}

std::optional<Value> compareDicts(Evaluator* evaluator, Operator op, DictObject& a, DictObject& b) {
    if (op != Operator::Eq && op != Operator::Ne)
        return std::nullopt;
    const RecursionGuard guard("in comparison");
    bool areSame = a.size() == b.size();
    for (size_t i = 0; areSame && i < a.size(); ++i) {
        const DictObject::Entry entry = a.entries()[i];
        if (evaluator)
            evaluator->step();
        const Value* other = b.find(entry.key);
        const Value held = other ? *other : Value();
        areSame = other && areSameOrEqual(evaluator, entry.value, held);
    }
    return makeBool(areSame == (op == Operator::Eq));
}

std::optional<Value> compareSets(Operator op, DictObject& a, DictObject& b) {
    switch (op) {
    case Operator::Eq:
    case Operator::Ne:
        return makeBool((a.size() == b.size() && isSubset(a, b)) == (op == Operator::Eq));
    case Operator::Le:
        return makeBool(isSubset(a, b));
    case Operator::Lt:
        return makeBool(a.size() < b.size() && isSubset(a, b));
    case Operator::Ge:
        return makeBool(isSubset(b, a));
    default:
        return makeBool(b.size() < a.size() && isSubset(b, a));
    }
}

} // namespace

bool isSubset(DictObject& part, DictObject& whole) {
    if (part.size() > whole.size())
        return false;
    for (size_t i = 0; i < part.size(); ++i)
        if (const Value key = part.entries()[i].key; !whole.find(key))
            return false;
    return true;
}

DictObject setTableOf(Evaluator& evaluator, const Value& iterable) {
    if (std::optional<DictObject> table = asSetTable(evaluator, iterable))
        return std::move(*table);
    DictObject table;
    updateSet(evaluator, table, iterable);
    return table;
}

void updateSet(Evaluator& evaluator, DictObject& table, const Value& iterable) {
    const Value iterator = evaluator.iterator(iterable);
    if (const auto* set = plainOf(iterable).as<SetObject>()) {
        const DictObject held = set->table; // may be `table` itself
        for (const DictObject::Entry& entry : held.entries())
            table.set(entry.key, Value());
        return;
    }
    while (const std::optional<Value> item = evaluator.next(iterator)) {
        evaluator.step();
        if (table.size() % 65536 == 65535)
            evaluator.reserve(table.size() * sizeof(DictObject::Entry));
        table.set(*item, Value());
    }
}

DictObject intersection(Evaluator& evaluator, const DictObject& a, const Value& iterable) {
    const DictObject other = setTableOf(evaluator, iterable);
    DictObject out;
    for (const DictObject::Entry& entry : a.entries())
        if (has(other, entry.key))
            out.set(entry.key, Value());
    return out;
}

DictObject difference(Evaluator& evaluator, const DictObject& a, const Value& iterable) {
    const DictObject other = setTableOf(evaluator, iterable);
    DictObject out;
    for (const DictObject::Entry& entry : a.entries())
        if (!has(other, entry.key))
            out.set(entry.key, Value());
    return out;
}

DictObject symmetricDifference(Evaluator& evaluator, const DictObject& a, const Value& iterable) {
    const DictObject other = setTableOf(evaluator, iterable);
    DictObject out;
    for (const DictObject::Entry& entry : a.entries())
        if (!has(other, entry.key))
            out.set(entry.key, Value());
    for (const DictObject::Entry& entry : other.entries())
        if (!has(a, entry.key))
            out.set(entry.key, Value());
    return out;
}

std::optional<DictObject> asSetTable(Evaluator& evaluator, const Value& value) {
    if (const auto* set = plainOf(value).as<SetObject>())
        return set->table;
    const auto view = viewedDict(value);
    if (!view || view->second == DictView::Values)
        return std::nullopt;
    DictObject out;
    const Value iterator = evaluator.iterator(value);
    while (const std::optional<Value> item = evaluator.next(iterator))
        out.set(*item, Value());
    return out;
}

void updateDict(Evaluator& evaluator, const Value& target, const Value& given) {
    const auto dict = [&]() -> DictObject& { return *target.as<DictObject>(); };
    if (const auto* other = plainOf(given).as<DictObject>()) {
        for (const DictObject::Entry& entry : std::vector<DictObject::Entry>(other->entries()))
            dict().set(entry.key, entry.value);
        return;
    }
    if (given.object() && evaluator.findAttribute(given, "keys")) {
        for (const Value& key : evaluator.items(evaluator.callMethod(given, "keys")))
            dict().set(key, evaluator.subscript(given, key));
        return;
    }
    const Value iterator = evaluator.iterator(given);
    for (size_t i = 0; const std::optional<Value> item = evaluator.next(iterator); ++i) {
        evaluator.step();
        const std::string place = "dictionary update sequence element #" + std::to_string(i);
        if (!evaluator.isIterable(*item))
            raise("TypeError", "cannot convert " + place + " to a sequence");
        const Values pair = evaluator.items(*item);
        if (pair.size() != 2)
            raise("ValueError", place + " has length " + std::to_string(pair.size()) + "; 2 is required");
        dict().set(pair[0], pair[1]);
    }
}

std::optional<Value> operateMappings(Evaluator* evaluator, Operator op, const Value& a, const Value& b) {
    auto *left = a.as<DictObject>(), *right = b.as<DictObject>();
    if (left && right) {
        if (isComparison(op))
            return compareDicts(evaluator, op, *left, *right);
        if (op != Operator::Or)
            return std::nullopt;
        DictObject out = *left;
        for (const DictObject::Entry& entry : right->entries())
            out.set(entry.key, entry.value);
        return Value(Object{std::move(out)});
    }
    auto *x = a.as<SetObject>(), *y = b.as<SetObject>();
    if (!x || !y)
        return std::nullopt;
    if (isComparison(op))
        return compareSets(op, x->table, y->table);
    if (!evaluator)
        return std::nullopt;
    // Copies: comparing keys may run code that changes the sets.
    switch (op) {
    case Operator::Or: {
        DictObject out = x->table;
        updateSet(*evaluator, out, b);
        return makeSet(std::move(out), x->isFrozen);
    }
    case Operator::And:
        return makeSet(intersection(*evaluator, DictObject(x->table), b), x->isFrozen);
    case Operator::Sub:
        return makeSet(difference(*evaluator, DictObject(x->table), b), x->isFrozen);
    case Operator::Xor:
        return makeSet(symmetricDifference(*evaluator, DictObject(x->table), b), x->isFrozen);
    default:
        return std::nullopt;
    }
}

void addMappingTypes(Evaluator& evaluator) {
    addDictType(evaluator);
    addDictViews(evaluator);
    addSetTypes(evaluator);
}

} // namespace fx
