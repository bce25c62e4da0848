// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/python_operators.h"

#include <algorithm>
#include <array>

namespace fx {

namespace {

constexpr std::array<OperatorRow, 26> makeRows() {
    using enum Operator;
    // clang-format off
    return {{
        {Add,      "+",      "add",          "__add__",      "__radd__",      "__iadd__",      "add",          "add",                       "add_"},
        {Sub,      "-",      "sub",          "__sub__",      "__rsub__",      "__isub__",      "sub",          "torch.rsub",                "sub_"},
        {Mul,      "*",      "mul",          "__mul__",      "__rmul__",      "__imul__",      "mul",          "mul",                       "mul_"},
        {TrueDiv,  "/",      "truediv",      "__truediv__",  "__rtruediv__",  "__itruediv__",  "div",          "",                          "div_"},
        {FloorDiv, "//",     "floordiv",     "__floordiv__", "__rfloordiv__", "__ifloordiv__", "floor_divide", "torch.floor_divide",        "floor_divide_"},
        {Mod,      "%",      "mod",          "__mod__",      "__rmod__",      "__imod__",      "remainder",    "torch.remainder",           "remainder_"},
        {Pow,      "**",     "pow",          "__pow__",      "__rpow__",      "__ipow__",      "pow",          "torch.pow",                 "pow_"},
        {MatMul,   "@",      "matmul",       "__matmul__",   "__rmatmul__",   "__imatmul__",   "matmul",       "torch.matmul",              ""},
        {LShift,   "<<",     "lshift",       "__lshift__",   "__rlshift__",   "__ilshift__",   "__lshift__",   "torch.bitwise_left_shift",  "__ilshift__"},
        {RShift,   ">>",     "rshift",       "__rshift__",   "__rrshift__",   "__irshift__",   "__rshift__",   "torch.bitwise_right_shift", "__irshift__"},
        {And,      "&",      "and_",         "__and__",      "__rand__",      "__iand__",      "__and__",      "bitwise_and",               "__iand__"},
        {Or,       "|",      "or_",          "__or__",       "__ror__",       "__ior__",       "__or__",       "bitwise_or",                "__ior__"},
        {Xor,      "^",      "xor",          "__xor__",      "__rxor__",      "__ixor__",      "__xor__",      "bitwise_xor",               "__ixor__"},
        {Lt,       "<",      "lt",           "__lt__",       "__gt__",        "",              "lt",           "gt",                        ""},
        {Le,       "<=",     "le",           "__le__",       "__ge__",        "",              "le",           "ge",                        ""},
        {Gt,       ">",      "gt",           "__gt__",       "__lt__",        "",              "gt",           "lt",                        ""},
        {Ge,       ">=",     "ge",           "__ge__",       "__le__",        "",              "ge",           "le",                        ""},
        {Eq,       "==",     "eq",           "__eq__",       "__eq__",        "",              "eq",           "eq",                        ""},
        {Ne,       "!=",     "ne",           "__ne__",       "__ne__",        "",              "ne",           "ne",                        ""},
        {Is,       "is",     "is_",          "",             "",              "",              "",             "",                          ""},
        {IsNot,    "is not", "is_not",       "",             "",              "",              "",             "",                          ""},
        {In,       "in",     "contains",     "",             "",              "",              "",             "",                          ""},
        {NotIn,    "not in", "not_contains", "",             "",              "",              "",             "",                          ""},
        {Neg,      "-",      "neg",          "__neg__",      "",              "",              "neg",          "",                          ""},
        {Pos,      "+",      "pos",          "__pos__",      "",              "",              "positive",     "",                          ""},
        {Invert,   "~",      "invert",       "__invert__",   "",              "",              "__invert__",   "",                          ""},
    }};
    // clang-format on
}
constexpr std::array<OperatorRow, 26> kRows = makeRows();

constexpr bool areInOrder() {
    for (size_t i = 0; i < kRows.size(); ++i)
        if (kRows[i].op != static_cast<Operator>(i))
            return false;
    return kRows.back().op == Operator::Invert;
}
static_assert(areInOrder());

std::optional<Operator> findBy(std::string_view name, auto nameOf) {
    const auto found = name.empty() ? kRows.end() : std::ranges::find(kRows, name, nameOf);
    return found == kRows.end() ? std::nullopt : std::optional(found->op);
}

} // namespace

std::span<const OperatorRow> operatorRows() {
    return kRows;
}

const OperatorRow& operatorRow(Operator op) {
    return kRows[static_cast<size_t>(op)];
}

std::optional<Operator> operatorByName(std::string_view function) {
    return findBy(function, &OperatorRow::function);
}

std::optional<Operator> operatorByInPlaceFunction(std::string_view function) {
    return findBy(function, &OperatorRow::inPlaceFunction);
}

std::optional<OperatorMethod> operatorByMethod(std::string_view method) {
    using Side = OperatorMethod::Side;
    // A comparison's reflected method is another one's own, which counts.
    if (const auto op = findBy(method, &OperatorRow::method))
        return OperatorMethod{*op, Side::Left};
    if (const auto op = findBy(method, &OperatorRow::reflected))
        return OperatorMethod{*op, Side::Right};
    if (const auto op = findBy(method, &OperatorRow::inPlace))
        return OperatorMethod{*op, Side::InPlace};
    return std::nullopt;
}

std::optional<Operator> swappedOperator(Operator op) {
    if (op == Operator::Add || op == Operator::Mul)
        return op;
    return operatorRow(op).isComparison() ? findBy(operatorRow(op).reflected, &OperatorRow::method)
                                          : std::nullopt;
}

} // namespace fx
