// SPDX-License-Identifier: GPL-3.0-or-later
// Python's operators: how each is written, what it is called in Python and torch. The only list of them; who
// needs one by another name looks it up here.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace fx {

enum class Operator : uint8_t {
    // binary
    Add,
    Sub,
    Mul,
    TrueDiv,
    FloorDiv,
    Mod,
    Pow,
    MatMul,
    LShift,
    RShift,
    And,
    Or,
    Xor,
    // comparison
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    Is,
    IsNot,
    In,
    NotIn,
    // unary
    Neg,
    Pos,
    Invert,
};

/// A name that is empty: there is none.
struct OperatorRow {
    Operator op;
    std::string_view sign;      ///< "+", "not in"
    std::string_view function;  ///< of Python's module operator: "add", "and_"
    std::string_view method;    ///< "__add__"
    std::string_view reflected; ///< that of the right operand: "__radd__", and of `<` "__gt__"
    std::string_view inPlace;   ///< "__iadd__"
    std::string_view tensor;    ///< Tensor's method: "add"
    std::string_view
        tensorReflected; ///< method of the tensor on the right, or "torch.function" of both operands
    std::string_view tensorInPlace; ///< "add_"

    bool isUnary() const { return op >= Operator::Neg; }
    /// Of those that tensors have, which `is` and `in` are not.
    bool isComparison() const { return op >= Operator::Lt && op <= Operator::Ne; }
    /// The function of module operator for `a += b`: "iadd".
    std::string_view inPlaceFunction() const {
        return inPlace.empty() ? inPlace : inPlace.substr(2, inPlace.size() - 4);
    }
};

/// In the order of Operator.
std::span<const OperatorRow> operatorRows();
const OperatorRow& operatorRow(Operator op);

/// "+", "<", "not in".
inline std::string_view operatorSign(Operator op) {
    return operatorRow(op).sign;
}
/// "add", "and_": as in Python's module operator.
inline std::string_view operatorName(Operator op) {
    return operatorRow(op).function;
}
std::optional<Operator> operatorByName(std::string_view function);
/// By "iadd".
std::optional<Operator> operatorByInPlaceFunction(std::string_view function);
/// By "__add__", "__radd__" or "__iadd__"; a comparison and a unary operator by its one name.
struct OperatorMethod {
    Operator op;
    enum class Side { Left, Right, InPlace } side;
};
std::optional<OperatorMethod> operatorByMethod(std::string_view method);
/// The operator that gives the same with its operands exchanged: `>` for `<`. None where there is none for
/// all operands.
std::optional<Operator> swappedOperator(Operator op);

} // namespace fx
