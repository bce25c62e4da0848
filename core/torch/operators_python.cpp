// SPDX-License-Identifier: GPL-3.0-or-later
// Python's operators where a tensor is among the operands: which method of the tensor each of them is, and
// what they are with the tensor on the right. Those of everything else are in core/python/types.
#include "core/torch/bind_ahead.h"
#include "core/torch/call.h"
#include "core/torch/python_functions.h"

#include <ATen/ATen.h>

namespace fx {

namespace {

using c10::IValue;

struct TensorOperator {
    Operator op;
    std::string_view method; ///< tensor.method(other)
    std::string_view
        reflected; ///< "method" of the tensor on the right, or "torch.function" of both; empty: no single one
    std::string_view inPlace; ///< empty: there is none, and the result is a new tensor
};

constexpr TensorOperator kBinary[] = {
    {Operator::Add, "add", "add", "add_"},
    {Operator::Sub, "sub", "torch.rsub", "sub_"},
    {Operator::Mul, "mul", "mul", "mul_"},
    {Operator::TrueDiv, "div", "", "div_"},
    {Operator::FloorDiv, "floor_divide", "torch.floor_divide", "floor_divide_"},
    {Operator::Mod, "remainder", "torch.remainder", "remainder_"},
    {Operator::Pow, "pow", "torch.pow", "pow_"},
    {Operator::MatMul, "matmul", "torch.matmul", ""},
    {Operator::LShift, "__lshift__", "torch.bitwise_left_shift", "__ilshift__"},
    {Operator::RShift, "__rshift__", "torch.bitwise_right_shift", "__irshift__"},
    {Operator::And, "__and__", "bitwise_and", "__iand__"},
    {Operator::Or, "__or__", "bitwise_or", "__ior__"},
    {Operator::Xor, "__xor__", "bitwise_xor", "__ixor__"},
    {Operator::Lt, "lt", "gt", ""},
    {Operator::Le, "le", "ge", ""},
    {Operator::Gt, "gt", "lt", ""},
    {Operator::Ge, "ge", "le", ""},
    {Operator::Eq, "eq", "eq", ""},
    {Operator::Ne, "ne", "ne", ""},
};

static_assert(std::size(kBinary) == static_cast<size_t>(Operator::Ne) + 1);

std::string_view unaryMethod(Operator op) {
    return op == Operator::Neg ? "neg" : op == Operator::Pos ? "positive" : "__invert__";
}

std::optional<OperatorCall> binaryCall(Operator op, bool isLeftTensor, bool isInPlace) {
    if (static_cast<size_t>(op) >= std::size(kBinary))
        return std::nullopt;
    const TensorOperator& row = kBinary[static_cast<size_t>(op)];
    if (isLeftTensor)
        return OperatorCall{isInPlace && !row.inPlace.empty() ? row.inPlace : row.method};
    if (row.reflected.empty())
        return std::nullopt;
    return OperatorCall{row.reflected, !row.reflected.starts_with("torch.") || row.reflected == "torch.rsub"};
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
        return op >= Operator::Neg ? OperatorCall{unaryMethod(*op)} : binaryCall(*op, isLeftTensor, false);
    if (!name.starts_with('i'))
        return std::nullopt;
    // operator.iand is the in-place form of operator.and_
    const std::string plain(name.substr(1));
    std::optional<Operator> op = operatorByName(plain);
    if (!op)
        op = operatorByName(plain + '_');
    return op && op < Operator::Lt ? binaryCall(*op, isLeftTensor, true) : std::nullopt;
}

Value operateOnTensors(Operator op, const Values& operands, bool isInPlace) {
    if (operands.size() == 1)
        return callMethod(operands[0], std::string(unaryMethod(op)), {}, {});
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
    if (op >= Operator::Lt)
        raise("TypeError", '\'' + sign + "' not supported between instances of " + types);
    raise("TypeError", "unsupported operand type(s) for " +
                           (op == Operator::Pow ? "** or pow()" : sign + (isInPlace ? "=" : "")) + ": " +
                           types);
}

} // namespace fx
