// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/operators.h"

#include "core/python/containers.h"
#include "core/python/dunders.h"
#include "core/python/evaluator.h"
#include "core/python/generic_alias.h"
#include "core/python/items.h"
#include "core/python/types/support.h"

namespace fx {

static std::optional<Value> compareInstances(Evaluator& evaluator, Operator op, const Value& a,
                                             const Value& b) {
    const OperatorRow& names = operatorRow(op);
    const auto ask = [&](const Value& self, std::string_view name,
                         const Value& other) -> std::optional<Value> {
        if (!hasDunders(self))
            return std::nullopt;
        std::optional<Value> answer = callDunder(evaluator, self, name, {other});
        return answer && !isNotImplementedValue(*answer) ? answer : std::nullopt;
    };
    const auto classOf = [&](const Value& value) -> const ClassData& {
        return evaluator.classOf(evaluator.typeOf(value));
    };
    // The right operand goes first where its class is a proper subclass of the left one's.
    const bool isRightFirst = hasDunders(a) && hasDunders(b) &&
                              !evaluator.typeOf(a).isSame(evaluator.typeOf(b)) &&
                              classOf(b).isSubclassOf(&classOf(a)) && classOf(b).find(names.reflected) &&
                              !(classOf(a).find(names.reflected) &&
                                classOf(a).find(names.reflected)->isSame(*classOf(b).find(names.reflected)));
    if (isRightFirst)
        if (std::optional<Value> answer = ask(b, names.reflected, a))
            return answer;
    if (std::optional<Value> answer = ask(a, names.method, b))
        return answer;
    if (op == Operator::Ne) { // object.__ne__ is not (==)
        const Value* own = hasDunders(a) ? classOf(a).find("__eq__") : nullptr;
        if (own && !(own->as<NativeObject>()))
            if (std::optional<Value> answer = ask(a, "__eq__", b))
                return Value(c10::IValue(!isTrue(evaluator, *answer)));
    }
    // A tensor on the left takes proxies itself, whatever their class says.
    if (!isRightFirst && !(asProxy(b) && plainOf(a).isTensor()))
        return ask(b, names.reflected, a);
    return std::nullopt;
}

namespace {

/// None where the operands have no such operation.
std::optional<Value> tryOperate(Evaluator& evaluator, Operator op, const Value& a, const Value& b,
                                bool isInPlace = false) {
    if (op == Operator::Is || op == Operator::IsNot)
        return c10::IValue(a.isSame(b) == (op == Operator::Is));
    if (op == Operator::In || op == Operator::NotIn)
        return c10::IValue(contains(evaluator, b, a) == (op == Operator::In));
    if (hasDunders(a) || hasDunders(b)) {
        if (std::optional<Value> answer = compareInstances(evaluator, op, a, b))
            return std::move(*answer);
    }
    if (ValueHost* host = evaluator.hosts().of(a, b))
        return host->operate(evaluator, op, {a, b}, isInPlace);
    if (op == Operator::Or &&
        (a.as<ClassObject>() || a.as<AliasObject>() || b.as<ClassObject>() || b.as<AliasObject>()))
        return unionOf(evaluator, a, b);
    if (std::optional<Value> result = operatePlain(&evaluator, op, plainOf(a), plainOf(b)))
        return std::move(*result);
    if (op == Operator::Eq || op == Operator::Ne)
        return c10::IValue(a.isSame(b) == (op == Operator::Eq));
    return std::nullopt;
}

[[noreturn]] void refuseOperands(const std::string& sign, const Value& a, const Value& b) {
    raise("TypeError",
          "unsupported operand type(s) for " + sign + ": '" + typeName(a) + "' and '" + typeName(b) + '\'');
}

} // namespace

Value operate(Evaluator& evaluator, Operator op, const Value& a, const Value& b) {
    if (std::optional<Value> result = tryOperate(evaluator, op, a, b))
        return std::move(*result);
    if (operatorRow(op).isComparison())
        raise("TypeError", '\'' + std::string(operatorSign(op)) + "' not supported between instances of '" +
                               typeName(a) + "' and '" + typeName(b) + '\'');
    refuseOperands(op == Operator::Pow ? "** or pow()" : std::string(operatorSign(op)), a, b);
}

Value operateInPlace(Evaluator& evaluator, Operator op, const Value& a, const Value& b) {
    const OperatorRow& names = operatorRow(op);
    if (hasDunders(a)) {
        if (std::optional<Value> answer = callDunder(evaluator, a, names.inPlace, {b});
            answer && !isNotImplementedValue(*answer))
            return std::move(*answer);
    } else if (evaluator.hostOf(a)) {
        return evaluator.hosts().of(a, b)->operate(evaluator, op, {a, b}, true);
    }
    // Lists, sets and dicts change themselves.
    const Value& plain = plainOf(a);
    if (plain.as<SequenceObject>() || plain.as<SetObject>() || plain.as<DictObject>() ||
        plain.as<BytesObject>())
        if (std::optional<Value> done = operatePlainInPlace(evaluator, op, plain, b))
            return done->isNone() ? a : *done;
    if (std::optional<Value> result = tryOperate(evaluator, op, a, b, true))
        return std::move(*result);
    refuseOperands(std::string(operatorSign(op)) + '=', a, b);
}

Value operateUnary(Evaluator& evaluator, Operator op, const Value& a) {
    if (hasDunders(a))
        if (std::optional<Value> answer = callDunder(evaluator, a, operatorRow(op).method, {}))
            return std::move(*answer);
    if (ValueHost* host = evaluator.hostOf(a))
        return host->operate(evaluator, op, {a}, false);
    if (std::optional<Value> result = operatePlainUnary(op, plainOf(a)))
        return std::move(*result);
    raise("TypeError",
          "bad operand type for unary " + std::string(operatorSign(op)) + ": '" + typeName(a) + '\'');
}

bool isTrue(Evaluator& evaluator, const Value& value) {
    const c10::IValue& data = value.data();
    if (!value.object() && !data.isTensor() && !data.isSymInt() && !data.isSymBool() && !data.isSymFloat())
        return fx::isTrue(value);
    ValueHost* host = evaluator.hostOf(value);
    if (hasDunders(value)) {
        if (const std::optional<Value> answer = callDunder(evaluator, value, "__bool__", {})) {
            if (!answer->isBool())
                raise("TypeError", "__bool__ should return bool, returned " + typeName(*answer));
            return answer->data().toBool();
        }
        if (const std::optional<Value> answer =
                host ? std::nullopt : callDunder(evaluator, value, "__len__", {}))
            return fx::isTrue(*answer);
        if (!host)
            return &plainOf(value) == &value || fx::isTrue(plainOf(value));
    }
    if (host)
        return host->isTrue(evaluator, value);
    return fx::isTrue(value);
}

bool areEqual(Evaluator& evaluator, const Value& a, const Value& b) {
    if (a.isSame(b) && !a.isDouble() && !evaluator.hostOf(a))
        return true;
    return isTrue(evaluator, operate(evaluator, Operator::Eq, a, b));
}

size_t hashValue(Evaluator& evaluator, const Value& value) {
    if (value.as<InstanceObject>()) {
        const Value type = evaluator.typeOf(value);
        const Value* found = evaluator.classOf(type).find("__hash__");
        if (found && found->isNone())
            raise("TypeError", "unhashable type: '" + typeName(value) + '\'');
        if (std::optional<Value> answer = callDunder(evaluator, value, "__hash__", {})) {
            if (!answer->isInt() && !answer->isBool() && !answer->as<BigIntObject>())
                raise("TypeError", "__hash__ method should return an integer");
            if (!answer->isInt())
                return hashOf(*answer);
            return static_cast<size_t>(answer->data().toInt() == -1 ? -2 : answer->data().toInt());
        }
        const Value& plain = plainOf(value);
        return &plain == &value ? std::hash<const void*>()(value.object().get()) : hashOf(plain);
    }
    return hashOf(value);
}

} // namespace fx
