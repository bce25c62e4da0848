// SPDX-License-Identifier: GPL-3.0-or-later
// Operators. Where tree-sitter's grammar groups them otherwise than Python does, they are put in Python's
// order.
#include "core/python/tree_builder.h"

#include <algorithm>
#include <array>

namespace fx {

namespace {

constexpr std::array<std::pair<std::string_view, Operator>, 13> kBinary{{
    {"+", Operator::Add},
    {"-", Operator::Sub},
    {"*", Operator::Mul},
    {"/", Operator::TrueDiv},
    {"//", Operator::FloorDiv},
    {"%", Operator::Mod},
    {"**", Operator::Pow},
    {"@", Operator::MatMul},
    {"<<", Operator::LShift},
    {">>", Operator::RShift},
    {"&", Operator::And},
    {"|", Operator::Or},
    {"^", Operator::Xor},
}};
constexpr std::array<std::pair<std::string_view, Operator>, 10> kComparisons{{
    {"<", Operator::Lt},
    {"<=", Operator::Le},
    {">", Operator::Gt},
    {">=", Operator::Ge},
    {"==", Operator::Eq},
    {"!=", Operator::Ne},
    {"is", Operator::Is},
    {"is not", Operator::IsNot},
    {"in", Operator::In},
    {"not in", Operator::NotIn},
}};

template <size_t Size>
std::optional<Operator> operatorOf(const std::array<std::pair<std::string_view, Operator>, Size>& rows,
                                   std::string_view sign) {
    for (const auto& [text, op] : rows)
        if (text == sign)
            return op;
    return std::nullopt;
}

} // namespace

std::optional<Operator> binaryOperator(std::string_view sign) {
    return operatorOf(kBinary, sign);
}

Expression TreeBuilder::unary(const SyntaxNode& node) {
    const Nodes parts = children(node);
    const std::string_view sign = text(require(parts, "operator"));
    if (sign == "*")
        return starred(node); // masked, see tokens.h
    Expression out = make(Kind::Unary, node);
    out.op = sign == "-" ? Operator::Neg : sign == "+" ? Operator::Pos : Operator::Invert;
    out.children.push_back(operand(require(parts, "argument")));
    return out;
}

Expression TreeBuilder::binary(const SyntaxNode& node) {
    // `a + b + c` comes as (a + b) + c: however long, it is not deep.
    constexpr size_t kLongest = 2900; // Python's own limit is near
    std::vector<std::pair<Operator, SyntaxNode>> operands;
    std::optional<Expression> out;
    for (SyntaxNode left = node; !out;) {
        const Nodes parts = left.kind() == "binary_operator" ? children(left) : Nodes();
        const std::optional<Operator> op =
            parts.empty() ? std::nullopt : binaryOperator(text(require(parts, "operator")));
        if (!parts.empty() && !op)
            failSyntax(left);
        if (op == Operator::And || op == Operator::Xor) {
            out = bitwise(left);
        } else if (!op) {
            out = firstOperand(left);
        } else {
            if (operands.size() == kLongest)
                fail(node, "too many operands");
            operands.emplace_back(*op, require(parts, "right"));
            left = require(parts, "left");
        }
    }
    for (; !operands.empty(); operands.pop_back())
        out = joinBinary(std::move(*out), operands.back().first, operand(operands.back().second));
    return std::move(*out);
}

Expression TreeBuilder::joinBinary(Expression left, Operator op, Expression right) {
    Expression out;
    out.kind = Kind::Binary;
    out.op = op;
    out.begin = left.begin;
    out.end = right.end;
    out.children.reserve(2);
    out.children.push_back(std::move(left));
    out.children.push_back(std::move(right));
    liftStar(out);
    return out;
}

/// `a ^ b & c` comes as (a ^ b) & c, though & binds tighter in Python.
Expression TreeBuilder::bitwise(const SyntaxNode& node) {
    Nodes operands;
    std::vector<Operator> operators;
    collectBitwise(node, operands, operators);
    std::optional<Expression> sum;
    Expression product = firstOperand(operands.at(0));
    for (size_t i = 0; i < operators.size(); ++i) {
        Expression right = operand(operands.at(i + 1));
        if (operators[i] == Operator::And) {
            product = joinBinary(std::move(product), Operator::And, std::move(right));
            continue;
        }
        sum = sum ? joinBinary(std::move(*sum), Operator::Xor, std::move(product)) : std::move(product);
        product = std::move(right);
    }
    return sum ? joinBinary(std::move(*sum), Operator::Xor, std::move(product)) : std::move(product);
}

void TreeBuilder::collectBitwise(const SyntaxNode& node, Nodes& operands, std::vector<Operator>& operators) {
    const Level level(*this, node);
    const Nodes parts = children(node);
    const std::string_view sign = parts.size() == 3 ? parts[1].kind() : std::string_view();
    if (node.kind() != "binary_operator" || (sign != "&" && sign != "^"))
        return operands.push_back(node);
    collectBitwise(parts[0], operands, operators);
    operators.push_back(sign == "&" ? Operator::And : Operator::Xor);
    collectBitwise(parts[2], operands, operators);
}

Expression TreeBuilder::boolean(const SyntaxNode& node) {
    // `a or b or c` comes as (a or b) or c: one expression of three operands.
    Nodes parts = children(node);
    const std::string_view sign = text(require(parts, "operator"));
    Nodes operands{require(parts, "right")};
    SyntaxNode left = require(parts, "left");
    while (left.kind() == "boolean_operator") {
        parts = children(left);
        if (text(require(parts, "operator")) != sign)
            break;
        operands.push_back(require(parts, "right"));
        left = require(parts, "left");
    }
    Expression out = make(sign == "and" ? Kind::And : Kind::Or, node);
    out.children.reserve(operands.size() + 1);
    out.children.push_back(firstOperand(left));
    for (auto part = operands.rbegin(); part != operands.rend(); ++part)
        out.children.push_back(operand(*part));
    liftStar(out);
    return out;
}

Expression TreeBuilder::notOperator(const SyntaxNode& node) {
    Expression out = make(Kind::Not, node);
    out.children.push_back(operand(require(children(node), "argument")));
    return out;
}

Expression TreeBuilder::comparison(const SyntaxNode& node) {
    Expression out = make(Kind::Compare, node);
    for (const SyntaxNode& child : children(node)) {
        if (child.field != "operators") {
            out.children.push_back(out.children.empty() ? firstOperand(child) : operand(child));
            continue;
        }
        const std::optional<Operator> op = operatorOf(kComparisons, child.kind());
        if (!op)
            failSyntax(child);
        out.operators.push_back(*op);
    }
    liftStar(out);
    return out;
}

Expression TreeBuilder::conditional(const SyntaxNode& node) {
    Nodes parts = children(node);
    std::erase_if(parts, [](const SyntaxNode& part) { return !part.isNamed(); });
    return conditionalOf(parts, node);
}

Expression TreeBuilder::conditionalOf(const Nodes& parts, const SyntaxNode& node) {
    Expression out = make(Kind::Conditional, node);
    if (parts.size() != 3)
        failSyntax(node);
    // "(x := a if b else c)" comes as (x := a) if b else c.
    const bool isNamed = parts[0].kind() == "named_expression";
    Expression first = isNamed ? build(parts[0]) : firstOperand(parts[0]);
    out.children.reserve(3);
    out.children.push_back(isNamed ? std::move(first.children[1]) : std::move(first));
    out.children.push_back(operand(parts[1]));
    out.children.push_back(expression(parts[2]));
    if (isNamed) {
        out.begin = out.children[0].begin;
        first.end = out.end;
        first.children[1] = std::move(out);
        return first;
    }
    liftStar(out);
    return out;
}

Expression TreeBuilder::namedValue(const SyntaxNode& node) {
    const Nodes parts = children(node);
    Expression out = make(Kind::NamedValue, node);
    out.children.push_back(target(require(parts, "name")));
    out.children.push_back(expression(require(parts, "value")));
    return out;
}

} // namespace fx
