// SPDX-License-Identifier: GPL-3.0-or-later
// Which group of builtin types answers an operator.
#include "core/python/big_int.h"
#include "core/python/types/operations.h"

#include <algorithm>
#include <cmath>

namespace fx {

bool orderHolds(Operator op, int order) {
    switch (op) {
    case Operator::Lt:
        return order < 0;
    case Operator::Le:
        return order <= 0;
    case Operator::Gt:
        return order > 0;
    case Operator::Ge:
        return order >= 0;
    case Operator::Ne:
        return order != 0;
    default:
        return order == 0;
    }
}

bool areEqualItems(Evaluator* evaluator, const Value& a, const Value& b) {
    if (a.isInt() && b.isInt())
        return a.data().toInt() == b.data().toInt();
    return evaluator ? areEqual(*evaluator, a, b) : areEqual(a, b);
}

bool areSameOrEqual(Evaluator* evaluator, const Value& a, const Value& b) {
    if (a.isDouble() && b.isDouble() && std::isnan(a.data().toDouble()))
        return std::isnan(b.data().toDouble());
    return (a.isSame(b) && !a.isDouble()) || areEqualItems(evaluator, a, b);
}

namespace {

/// list[int] == list[int]; the order of a union's parts does not matter.
bool areEqualAliases(Evaluator* evaluator, const AliasObject& a, const AliasObject& b) {
    if (a.arguments.size() != b.arguments.size() || !a.origin.isSame(b.origin))
        return false;
    for (size_t i = 0; i < a.arguments.size(); ++i) {
        const auto isSamePart = [&](const Value& part) {
            return areEqualItems(evaluator, part, a.arguments[i]);
        };
        if (a.origin.isNone() ? std::none_of(b.arguments.begin(), b.arguments.end(), isSamePart)
                              : !isSamePart(b.arguments[i]))
            return false;
    }
    return true;
}

} // namespace

std::optional<Value> operatePlain(Evaluator* evaluator, Operator op, const Value& a, const Value& b) {
    if (isSmallInt(a) && isSmallInt(b))
        return operateIntegers(evaluator, op, a, b);
    if (op == Operator::Is || op == Operator::IsNot)
        return makeBool(a.isSame(b) == (op == Operator::Is));
    if (op == Operator::In || op == Operator::NotIn) {
        const std::optional<bool> found = containsPlain(evaluator, b, a);
        return found ? std::optional<Value>(makeBool(*found == (op == Operator::In))) : std::nullopt;
    }
    if (std::optional<Value> result = operateNumbers(evaluator, op, a, b))
        return result;
    if (std::optional<Value> result = operateTexts(evaluator, op, a, b))
        return result;
    if (std::optional<Value> result = operateSequences(evaluator, op, a, b))
        return result;
    const auto *x = a.as<AliasObject>(), *y = b.as<AliasObject>();
    if (x && y && (op == Operator::Eq || op == Operator::Ne))
        return makeBool(areEqualAliases(evaluator, *x, *y) == (op == Operator::Eq));
    return operateMappings(evaluator, op, a, b);
}

std::optional<Value> operatePlainUnary(Operator op, const Value& value) {
    if (isWhole(value)) {
        BigInt number = bigIntOf(value);
        if (op == Operator::Neg)
            mpz_neg(number.get(), number.get());
        else if (op == Operator::Invert)
            mpz_com(number.get(), number.get());
        return makeInteger(std::move(number));
    }
    if (op == Operator::Invert)
        return std::nullopt;
    const bool isNegated = op == Operator::Neg;
    if (value.isDouble())
        return isNegated ? makeFloat(-value.data().toDouble()) : value;
    if (isComplexNumber(value))
        return isNegated ? Value(c10::IValue(-value.data().toComplexDouble())) : value;
    return std::nullopt;
}

} // namespace fx
