// SPDX-License-Identifier: GPL-3.0-or-later
// Which operator a token is, and how tightly it binds.
#pragma once

#include "core/ir/python_operators.h"

#include <array>

namespace fx {

enum Precedence : int {
    kOr,
    kAnd,
    kNot,
    kCompare,
    kBitOr,
    kBitXor,
    kBitAnd,
    kShift,
    kSum,
    kProduct,
    kUnary,
    kPower
};

struct BinarySign {
    Operator op;
    int precedence;
};

/// Of those operators from `first` to `last` the one that is written so.
inline std::optional<Operator> operatorBySign(std::string_view sign, Operator first, Operator last) {
    for (const OperatorRow& row : operatorRows())
        if (row.op >= first && row.op <= last && row.sign == sign)
            return row.op;
    return std::nullopt;
}

inline std::optional<BinarySign> binarySign(std::string_view text) {
    // In the order of Operator.
    static constexpr std::array<int, 13> kPrecedences{kSum,     kSum,   kProduct, kProduct, kProduct,
                                                      kProduct, kPower, kProduct, kShift,   kShift,
                                                      kBitAnd,  kBitOr, kBitXor};
    // Asked behind each operand, where most often a bracket or a comma is.
    if (text.empty() || std::string_view("+-*/%@<>&|^").find(text[0]) == std::string_view::npos)
        return std::nullopt;
    const std::optional<Operator> op = operatorBySign(text, Operator::Add, Operator::Xor);
    return op ? std::optional(BinarySign{*op, kPrecedences[static_cast<size_t>(*op)]}) : std::nullopt;
}

/// Of the sign that begins at a token; "is not" and "not in" take two.
inline std::optional<Operator> comparisonSign(std::string_view text, std::string_view following) {
    if (text == "is" && following == "not")
        return Operator::IsNot;
    if (text == "not")
        return following == "in" ? std::optional(Operator::NotIn) : std::nullopt;
    if (text.empty() || text.size() > 2 || std::string_view("<>=!i").find(text[0]) == std::string_view::npos)
        return std::nullopt;
    return operatorBySign(text, Operator::Lt, Operator::NotIn);
}

inline std::optional<Operator> unarySign(std::string_view text) {
    return text.size() == 1 && std::string_view("-+~").find(text[0]) != std::string_view::npos
               ? operatorBySign(text, Operator::Neg, Operator::Invert)
               : std::nullopt;
}

} // namespace fx
