// SPDX-License-Identifier: GPL-3.0-or-later
// Python's operators where a tensor is among the operands. Those of everything else are in core/python/types.
#include "core/torch/bind/bind_ahead.h"
#include "core/torch/bind/call.h"
#include "core/torch/bind/python_functions.h"

#include <ATen/ATen.h>

namespace fx {

namespace {

using c10::IValue;

std::optional<OperatorCall> binaryCall(Operator op, bool isLeftTensor, bool isInPlace) {
    const OperatorRow& row = operatorRow(op);
    if (row.tensor.empty())
        return std::nullopt;
    if (isLeftTensor)
        return OperatorCall{isInPlace && !row.tensorInPlace.empty() ? row.tensorInPlace : row.tensor};
    const std::string_view reflected = row.tensorReflected;
    if (reflected.empty())
        return std::nullopt;
    return OperatorCall{reflected, !reflected.starts_with("torch.") || reflected == "torch.rsub"};
}

Value binary(Operator op, const Value& a, const Value& b, bool isInPlace) {
    const std::optional<OperatorCall> call = binaryCall(op, a.isTensor(), isInPlace);
    if (!call) // 1 / tensor
        return callMethod(callMethod(b, "reciprocal", {}, {}), "mul", {a}, {});
    const std::string name(call->name);
    const Value &first = call->isSwapped ? b : a, &second = call->isSwapped ? a : b;
    return name.starts_with("torch.") ? callFunction(name, {first, second}, {})
                                      : callMethod(first, name, {second}, {});
}

} // namespace

std::optional<OperatorCall> callOfOperator(std::string_view name, bool isLeftTensor) {
    if (!name.starts_with("operator."))
        return std::nullopt;
    name.remove_prefix(9);
    if (name == "abs")
        return OperatorCall{"abs"};
    if (const std::optional<Operator> op = operatorByName(name))
        return operatorRow(*op).isUnary() ? OperatorCall{operatorRow(*op).tensor}
                                          : binaryCall(*op, isLeftTensor, false);
    const std::optional<Operator> op = operatorByInPlaceFunction(name);
    return op ? binaryCall(*op, isLeftTensor, true) : std::nullopt;
}

Value operateOnTensors(Operator op, const Values& operands, bool isInPlace) {
    if (operands.size() == 1)
        return callMethod(operands[0], std::string(operatorRow(op).tensor), {}, {});
    const Value &a = operands[0], &b = operands[1];
    try {
        return binary(op, a, b, isInPlace);
    } catch (const Error& error) {
        // As after Python's NotImplemented: the two are not equal, or have no such operation.
        if (error.kind() != "TypeError" && !error.kind().empty())
            throw;
    }
    if (op == Operator::Eq || op == Operator::Ne)
        return IValue(op == Operator::Ne);
    const bool isSequence = a.isString() || itemsOf(a);
    if (op == Operator::Add && isSequence)
        raise("TypeError", "can only concatenate " + typeName(a) + " (not \"Tensor\") to " + typeName(a));
    if (op == Operator::Mul && b.isTensor() && isSequence)
        return *operatePlain(nullptr, op, a, callMethod(b, "__index__", {}, {}));
    if (op == Operator::Mul && a.isTensor() && (b.isString() || itemsOf(b)))
        return *operatePlain(nullptr, op, callMethod(a, "__index__", {}, {}), b);
    const std::string types = '\'' + typeName(a) + "' and '" + typeName(b) + '\'';
    const std::string sign(operatorSign(op));
    if (operatorRow(op).isComparison())
        raise("TypeError", '\'' + sign + "' not supported between instances of " + types);
    raise("TypeError", "unsupported operand type(s) for " +
                           (op == Operator::Pow ? "** or pow()" : sign + (isInPlace ? "=" : "")) + ": " +
                           types);
}

} // namespace fx
