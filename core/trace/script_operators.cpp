// SPDX-License-Identifier: GPL-3.0-or-later
// Operators of TorchScript as those of Python: `a + b`, and what PyTorch's helpers make of `2 - a`.
#include "core/trace/script_interpreter.h"
#include "core/trace/script_values.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

struct PythonOperator {
    std::string_view aten, python, swapped;
};
/// `swapped`: the operator of the same call with its operands exchanged, as PyTorch's helpers for `2 > x`
/// write it.
constexpr PythonOperator kOperators[] = {
    {"add", "add", "add"},
    {"sub", "sub", ""},
    {"mul", "mul", "mul"},
    {"div", "truediv", ""},
    {"true_divide", "truediv", ""},
    {"floor_divide", "floordiv", ""},
    {"floordiv", "floordiv", ""},
    {"remainder", "mod", ""},
    {"fmod", "mod", ""},
    {"pow", "pow", ""},
    {"matmul", "matmul", ""},
    {"neg", "neg", ""},
    {"lt", "lt", "gt"},
    {"le", "le", "ge"},
    {"gt", "gt", "lt"},
    {"ge", "ge", "le"},
    {"eq", "eq", "eq"},
    {"ne", "ne", "ne"},
    {"__and__", "and_", ""},
    {"bitwise_and", "and_", ""},
    {"__or__", "or_", ""},
    {"bitwise_or", "or_", ""},
    {"__xor__", "xor", ""},
    {"bitwise_xor", "xor", ""},
    {"bitwise_not", "invert", ""},
    {"__lshift__", "lshift", ""},
    {"__rshift__", "rshift", ""},
    {"__not__", "not_", ""},
};

} // namespace

std::optional<Value> ScriptInterpreter::recordOperator(const JitNode& node, const std::string& name,
                                                       const Values& args) {
    const ScriptPlace& place = m_tracer.placeOfNode(node);
    const auto& parameters = node.schema().arguments();
    // `1 / x` comes as the product of 1 and the reciprocal, `1 - x` as the sum of -x and 1.
    const bool isFirstHalf = place.isBuiltinHelper() && (name == "reciprocal" || name == "neg");
    if (isFirstHalf && node.output()->uses().size() == 1) {
        const JitNode* user = node.output()->uses()[0].user;
        const bool isExpected = user->kind() == (name == "neg" ? c10::aten::add : c10::aten::mul);
        if (isExpected && user->inputs()[0] == node.output() && user->owningBlock() == node.owningBlock()) {
            m_reciprocals[node.output()] = args[0];
            return Value();
        }
    }
    if (const auto half = m_reciprocals.find(node.inputs()[0]); half != m_reciprocals.end()) {
        const Value operand = half->second;
        m_reciprocals.erase(half);
        return m_tracer.record(Opcode::CallFunction, name == "add" ? "operator.sub" : "operator.truediv",
                               {args[1], operand});
    }
    if (name == "rsub" && args.size() >= 2 && (args.size() < 3 || isDefault(args[2], parameters[2])))
        return m_tracer.record(Opcode::CallFunction, "operator.sub", {args[1], args[0]});
    std::string base = name;
    const bool isInPlace = base.size() > 1 && base.ends_with('_') && !base.ends_with("__");
    if (isInPlace)
        base.pop_back();
    const auto* row = std::find_if(std::begin(kOperators), std::end(kOperators),
                                   [&](const PythonOperator& o) { return o.aten == base; });
    if (row == std::end(kOperators) || (isInPlace && row->python == "invert"))
        return std::nullopt;
    const size_t count = row->python == "neg" || row->python == "invert" || row->python == "not_" ? 1 : 2;
    if (args.size() < count || (isInPlace && count == 1))
        return std::nullopt;
    const bool isFloor =
        name == "div" && args.size() == 3 && args[2].isString() && numberOf(args[0]) && numberOf(args[1]);
    for (size_t i = count; i < args.size() && !isFloor; ++i)
        if (!isDefault(args[i], parameters[i]))
            return std::nullopt;
    if (name == "fmod" && node.inputs()[0]->type()->isSubtypeOf(*c10::TensorType::get()))
        return std::nullopt;
    Values operands(args.begin(), args.begin() + static_cast<ptrdiff_t>(count));
    std::string python(isFloor ? "floordiv" : row->python);
    if (place.isBuiltinHelper() && !row->swapped.empty() && count == 2) {
        python = row->swapped;
        std::swap(operands[0], operands[1]);
    }
    return m_tracer.record(Opcode::CallFunction, (isInPlace ? "operator.i" : "operator.") + python, operands);
}

} // namespace fx
