// SPDX-License-Identifier: GPL-3.0-or-later
// Operators on dicts and sets.
#include "core/python/types/mappings.h"

#include "core/python/types/operations.h"
#include "core/python/types/sequences.h"

namespace fx {

namespace {

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

std::optional<Value> compareSets(Operator op, const SetTable& a, const SetTable& b) {
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
        if (!isIterable(evaluator, *item))
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
    switch (op) {
    case Operator::Or:
        return makeSet(unionOf(*evaluator, x->table, b), x->isFrozen);
    case Operator::And:
        return makeSet(intersection(*evaluator, x->table, b), x->isFrozen);
    case Operator::Sub:
        return makeSet(difference(*evaluator, x->table, b), x->isFrozen);
    case Operator::Xor:
        return makeSet(symmetricDifference(*evaluator, x->table, b), x->isFrozen);
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
