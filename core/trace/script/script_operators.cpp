// SPDX-License-Identifier: GPL-3.0-or-later
// Operators of TorchScript as those of Python: `a + b`, and what PyTorch's helpers make of `2 - a`.
#include "core/trace/script/script_calls.h"
#include "core/trace/script/script_values.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

/// What operators of TorchScript are Python's.
std::optional<Operator> operatorOfScript(std::string_view name) {
    using enum Operator;
    static constexpr std::pair<std::string_view, Operator> kOperators[] = {
        {"add", Add},
        {"sub", Sub},
        {"mul", Mul},
        {"div", TrueDiv},
        {"true_divide", TrueDiv},
        {"floor_divide", FloorDiv},
        {"floordiv", FloorDiv},
        {"remainder", Mod},
        {"fmod", Mod},
        {"pow", Pow},
        {"matmul", MatMul},
        {"neg", Neg},
        {"lt", Lt},
        {"le", Le},
        {"gt", Gt},
        {"ge", Ge},
        {"eq", Eq},
        {"ne", Ne},
        {"__and__", And},
        {"bitwise_and", And},
        {"__or__", Or},
        {"bitwise_or", Or},
        {"__xor__", Xor},
        {"bitwise_xor", Xor},
        {"bitwise_not", Invert},
        {"__lshift__", LShift},
        {"__rshift__", RShift},
    };
    const auto found = std::ranges::find(kOperators, name, [](const auto& row) { return row.first; });
    return found == std::end(kOperators) ? std::nullopt : std::optional(found->second);
}

} // namespace

std::optional<Value> ScriptOperators::record(const ScriptCall& call) {
    const auto& [state, node, name, args] = call;
    const ScriptPlace& place = call.place();
    const auto& parameters = node.schema().arguments();
    // `1 / x` comes as the product of 1 and the reciprocal, `1 - x` as the sum of -x and 1.
    const bool isFirstHalf = place.isBuiltinHelper() && (name == "reciprocal" || name == "neg");
    if (isFirstHalf && node.output()->uses().size() == 1) {
        const torch::jit::Node* user = node.output()->uses()[0].user;
        const bool isExpected = user->kind() == (name == "neg" ? c10::aten::add : c10::aten::mul);
        if (isExpected && user->inputs()[0] == node.output() && user->owningBlock() == node.owningBlock()) {
            m_reciprocals[node.output()] = args[0];
            return Value();
        }
    }
    if (const auto half = m_reciprocals.find(node.inputs()[0]); half != m_reciprocals.end()) {
        const Value operand = half->second;
        m_reciprocals.erase(half);
        return call.record(Opcode::CallFunction, name == "add" ? "operator.sub" : "operator.truediv",
                           {args[1], operand});
    }
    if (name == "rsub" && args.size() >= 2 && (args.size() < 3 || isDefault(args[2], parameters[2])))
        return call.record(Opcode::CallFunction, "operator.sub", {args[1], args[0]});
    std::string base = name;
    const bool isInPlace = base.size() > 1 && base.ends_with('_') && !base.ends_with("__");
    if (isInPlace)
        base.pop_back();
    const std::optional<Operator> op = operatorOfScript(base);
    const bool isNot = base == "__not__";
    if (!op && !isNot)
        return std::nullopt;
    const size_t count = isNot || operatorRow(*op).isUnary() ? 1 : 2;
    if (args.size() < count || (isInPlace && (isNot || operatorRow(*op).inPlace.empty())))
        return std::nullopt;
    const bool isFloor = name == "div" && args.size() == 3 && args[2].isString() &&
                         state.knowledge.numberOf(args[0]) && state.knowledge.numberOf(args[1]);
    for (size_t i = count; i < args.size() && !isFloor; ++i)
        if (!isDefault(args[i], parameters[i]))
            return std::nullopt;
    if (name == "fmod" && node.inputs()[0]->type()->isSubtypeOf(*c10::TensorType::get()))
        return std::nullopt;
    Values operands(args.begin(), args.begin() + static_cast<ptrdiff_t>(count));
    if (isNot)
        return call.record(Opcode::CallFunction, "operator.not_", operands);
    Operator python = isFloor ? Operator::FloorDiv : *op;
    // PyTorch's helpers for `2 > x` call the operator of `x < 2`.
    if (const auto swapped = place.isBuiltinHelper() ? swappedOperator(*op) : std::nullopt) {
        python = *swapped;
        std::swap(operands[0], operands[1]);
    }
    const OperatorRow& row = operatorRow(python);
    return call.record(Opcode::CallFunction,
                       "operator." + std::string(isInPlace ? row.inPlaceFunction() : row.function), operands);
}

} // namespace fx
