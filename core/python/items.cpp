// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/items.h"

#include "core/python/containers.h"
#include "core/python/dunders.h"
#include "core/python/evaluator.h"
#include "core/python/generic_alias.h"
#include "core/python/types/sequences.h"

namespace fx {

Value subscript(Evaluator& evaluator, const Value& object, const Value& index) {
    if (hasDunders(object)) {
        if (std::optional<Value> answer = callDunder(evaluator, object, "__getitem__", {index}))
            return std::move(*answer);
        if (const auto* dict = plainOf(object).as<DictObject>();
            dict && !const_cast<DictObject*>(dict)->find(index))
            if (std::optional<Value> answer = callDunder(evaluator, object, "__missing__", {index}))
                return std::move(*answer);
    }
    ValueHost* host = evaluator.hosts().ofAccess(object, {&index});
    if (host || (host = evaluator.hostOf(index)))
        return host->subscript(evaluator, object, index);
    if (object.as<ClassObject>() || object.as<AliasObject>()) {
        if (object.as<ClassObject>())
            if (std::optional<Value> hook = evaluator.findAttribute(object, "__class_getitem__"))
                return evaluator.call(*hook, {index});
        return aliasOf(evaluator, object, index);
    }
    return getItemPlain(evaluator, plainOf(object), index);
}

void setSubscript(Evaluator& evaluator, const Value& object, const Value& index, Value value) {
    if (hasDunders(object))
        if (callDunder(evaluator, object, "__setitem__", {index, value}))
            return;
    const Value& plain = plainOf(object);
    const bool isFixed =
        plain.isString() ||
        (itemsOf(plain) && !(plain.as<SequenceObject>() && plain.as<SequenceObject>()->isList));
    if (ValueHost* host = evaluator.hosts().ofAccess(object, {&index, &value}))
        host->setSubscript(evaluator, object, index, value);
    else if (&plain != &object && isFixed)
        raise("TypeError", '\'' + typeName(object) + "' object does not support item assignment");
    else
        setItemPlain(evaluator, plainOf(object), index, std::move(value));
}

void deleteSubscript(Evaluator& evaluator, const Value& object, const Value& index) {
    if (hasDunders(object))
        if (callDunder(evaluator, object, "__delitem__", {index}))
            return;
    deleteItemPlain(evaluator, plainOf(object), index);
}

bool contains(Evaluator& evaluator, const Value& container, const Value& item) {
    if (hasDunders(container))
        if (std::optional<Value> answer = callDunder(evaluator, container, "__contains__", {item}))
            return evaluator.isTrue(*answer);
    if (container.isTensor()) // any of its numbers, not of its rows
        return evaluator.isTrue(evaluator.callMethod(container, "__contains__", {item}));
    if (ValueHost* host = evaluator.hostOf(container)) {
        const Value iterator = host->iterator(evaluator, container);
        while (const std::optional<Value> next = evaluator.next(iterator))
            if (areEqual(evaluator, *next, item))
                return true;
        return false;
    }
    if (std::optional<Value> answer = operatePlain(&evaluator, Operator::In, item, plainOf(container)))
        return fx::isTrue(*answer);
    if (!isIterable(evaluator, container))
        raise("TypeError", "argument of type '" + typeName(container) + "' is not iterable");
    const Value iterator = evaluator.iterator(container);
    while (const std::optional<Value> next = evaluator.next(iterator)) {
        evaluator.step();
        if (next->isSame(item) || areEqual(evaluator, *next, item))
            return true;
    }
    return false;
}

int64_t lengthOf(Evaluator& evaluator, const Value& value) {
    if (hasDunders(value))
        if (const std::optional<Value> answer = callDunder(evaluator, value, "__len__", {})) {
            const int64_t length = indexOf(evaluator, *answer);
            if (length < 0)
                raise("ValueError", "__len__() should return >= 0");
            return length;
        }
    if (ValueHost* host = evaluator.hostOf(value))
        return host->length(evaluator, value);
    if (const std::optional<int64_t> length = lengthPlain(plainOf(value)))
        return *length;
    if (const std::optional<Value> answer = callDunder(evaluator, value, "__len__", {}))
        return indexOf(evaluator, *answer);
    raise("TypeError", "object of type '" + typeName(value) + "' has no len()");
}

int64_t indexOf(Evaluator& evaluator, const Value& value) {
    if (value.isInt())
        return value.data().toInt();
    if (value.isBool())
        return value.data().toBool() ? 1 : 0;
    if (value.as<InstanceObject>()) {
        if (const std::optional<Value> answer = callDunder(evaluator, value, "__index__", {}))
            return indexOf(evaluator, *answer);
        if (const Value& plain = plainOf(value); plain.isInt())
            return plain.data().toInt();
    }
    if (value.as<BigIntObject>())
        raise("IndexError", "cannot fit 'int' into an index-sized integer");
    if (ValueHost* host = evaluator.hostOf(value))
        return host->index(evaluator, value);
    raise("TypeError", '\'' + typeName(value) + "' object cannot be interpreted as an integer");
}

} // namespace fx
