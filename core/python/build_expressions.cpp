// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions but strings (build_text.cpp) and what has a scope of its own (build_functions.cpp).
#include "core/base/text.h"
#include "core/python/literals.h"
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

// --- Helpers.

Expression TreeBuilder::make(Kind kind, const SyntaxNode& node) const {
    Expression out;
    out.kind = kind;
    out.begin = node.begin();
    out.end = node.end();
    return out;
}

Expression TreeBuilder::constant(const SyntaxNode& node, Value value) const {
    Expression out = make(Kind::Constant, node);
    out.constant = std::move(value);
    return out;
}

Expression TreeBuilder::noneAt(uint32_t at) const {
    Expression out;
    out.begin = out.end = at;
    return out;
}

Value TreeBuilder::nameValue(const std::string& text) {
    const auto [entry, isNew] = m_names.try_emplace(text);
    if (isNew)
        entry->second = makeText(text);
    return entry->second;
}

Expression TreeBuilder::makeName(const SyntaxNode& node) {
    return makeName(node, text(node));
}

Expression TreeBuilder::makeName(const SyntaxNode& node, std::string_view text) {
    if (isKeyword(text))
        failSyntax(node);
    Expression out = make(Kind::Name, node);
    out.text = mangled(text);
    out.name = nameValue(out.text);
    return out;
}

std::string TreeBuilder::mangled(std::string_view name) const {
    if (!name.starts_with("__") || name.ends_with("__") || contains(name, "."))
        return std::string(name);
    for (auto scope = m_scopes.rbegin(); scope != m_scopes.rend(); ++scope) {
        if (scope->tree->kind != FunctionTree::Kind::Class)
            continue;
        const std::string_view type = scope->tree->name;
        const size_t start = type.find_first_not_of('_');
        if (start == std::string_view::npos)
            break;
        return '_' + std::string(type.substr(start)) + std::string(name);
    }
    return std::string(name);
}

void TreeBuilder::liftStar(Expression& e) {
    if (e.children.empty() || e.children[0].kind != Kind::Starred)
        return;
    Expression star = std::move(e.children[0]);
    Expression inner = std::move(star.children[0]);
    e.begin = inner.begin;
    star.end = e.end;
    e.children[0] = std::move(inner);
    star.children[0] = std::move(e);
    e = std::move(star);
}

// --- What is allowed where.

Expression TreeBuilder::build(const SyntaxNode& node) {
    const Level level(*this, node);
    const BuildExpression row = expressionRows()[ts_node_symbol(node.raw)];
    if (!row)
        failSyntax(node);
    return (this->*row)(node);
}

Expression TreeBuilder::expression(const SyntaxNode& node) {
    if (node.kind() == "yield")
        failSyntax(node);
    Expression out = build(node);
    if (out.kind == Kind::NamedValue && isBareWalrus(node))
        failSyntax(node);
    if (out.kind == Kind::Starred)
        fail(node, "can't use starred expression here");
    return out;
}

bool TreeBuilder::isBareWalrus(const SyntaxNode& node) {
    if (node.kind() != "conditional_expression")
        return node.kind() == "named_expression";
    return children(node).at(0).kind() == "named_expression";
}

Expression TreeBuilder::operand(const SyntaxNode& node) {
    if (node.kind() == "lambda" || node.kind() == "conditional_expression")
        failSyntax(node);
    return expression(node);
}

Expression TreeBuilder::firstOperand(const SyntaxNode& node) {
    if (node.kind() == "lambda" || node.kind() == "conditional_expression" ||
        node.kind() == "named_expression")
        failSyntax(node);
    return build(node);
}

Expression TreeBuilder::namedExpression(const SyntaxNode& node) {
    return isBareWalrus(node) ? build(node) : expression(node);
}

Expression TreeBuilder::item(const SyntaxNode& node) {
    if (node.kind() == "yield")
        failSyntax(node);
    return build(node);
}

Expression TreeBuilder::expressions(const SyntaxNode& node, bool allowsYield) {
    if (node.kind() == "expression_list" || node.kind() == "pattern_list")
        return build(node);
    return allowsYield && node.kind() == "yield" ? build(node) : expression(node);
}

Expression TreeBuilder::commaSeparated(const Nodes& nodes, const SyntaxNode& parent) {
    if (!holds(nodes, ",") && nodes.size() == 1)
        return expression(nodes[0]);
    Expression out = make(Kind::Tuple, parent);
    for (const SyntaxNode& node : nodes)
        if (node.isNamed()) {
            if (isBareWalrus(node))
                failSyntax(node);
            out.children.push_back(item(node));
        }
    return out;
}

// --- Atoms.

Expression TreeBuilder::number(const SyntaxNode& node) {
    return constant(node, numberLiteral(text(node)));
}

Expression TreeBuilder::trueConstant(const SyntaxNode& node) {
    return constant(node, c10::IValue(true));
}

Expression TreeBuilder::falseConstant(const SyntaxNode& node) {
    return constant(node, c10::IValue(false));
}

Expression TreeBuilder::noneConstant(const SyntaxNode& node) {
    return constant(node, Value());
}

Expression TreeBuilder::ellipsis(const SyntaxNode& node) {
    return constant(node, Object{Argument(EllipsisValue())});
}

Expression TreeBuilder::parenthesized(const SyntaxNode& node) {
    for (const SyntaxNode& child : children(node))
        if (child.isNamed()) {
            Expression out = build(child);
            if (out.kind == Kind::Starred)
                fail(child, "cannot use starred expression here");
            return out;
        }
    failSyntax(node);
}

Expression TreeBuilder::sequence(const SyntaxNode& node, Kind kind) {
    Expression out = make(kind, node);
    const Nodes parts = children(node);
    out.children.reserve(parts.size() / 2);
    for (const SyntaxNode& child : parts)
        if (child.isNamed())
            out.children.push_back(item(child));
    return out;
}

Expression TreeBuilder::tuple(const SyntaxNode& node) {
    return sequence(node, Kind::Tuple);
}

Expression TreeBuilder::tuplePattern(const SyntaxNode& node) {
    // A target may stand in parentheses.
    const Nodes parts = children(node);
    return parts.size() == 3 && parts[1].kind() != "," ? parenthesized(node) : sequence(node, Kind::Tuple);
}

Expression TreeBuilder::list(const SyntaxNode& node) {
    return sequence(node, Kind::List);
}

Expression TreeBuilder::set(const SyntaxNode& node) {
    return sequence(node, Kind::Set);
}

Expression TreeBuilder::expressionList(const SyntaxNode& node) {
    return commaSeparated(children(node), node);
}

Expression TreeBuilder::dictionary(const SyntaxNode& node) {
    Expression out = make(Kind::Dict, node);
    for (const SyntaxNode& child : children(node)) {
        if (!child.isNamed())
            continue;
        if (child.kind() == "dictionary_splat") {
            Expression star = build(child);
            out.children.push_back(make(Kind::DoubleStarred, child));
            out.children.push_back(std::move(star.children[0]));
            continue;
        }
        const Nodes pair = children(child);
        out.children.push_back(expression(require(pair, "key")));
        if (text(require(pair, "value")).starts_with('*'))
            fail(require(pair, "value"), "cannot use a starred expression in a dictionary value");
        out.children.push_back(expression(require(pair, "value")));
    }
    return out;
}

// --- Attributes, subscripts, calls.

Expression TreeBuilder::attribute(const SyntaxNode& node) {
    const Nodes parts = children(node);
    const SyntaxNode& name = require(parts, "attribute");
    if (isKeyword(text(name)))
        failSyntax(name);
    Expression out = make(Kind::Attribute, node);
    out.children.push_back(build(require(parts, "object")));
    out.text = mangled(text(name));
    out.name = nameValue(out.text);
    liftStar(out);
    return out;
}

Expression TreeBuilder::subscript(const SyntaxNode& node) {
    Expression out = make(Kind::Subscript, node);
    const Nodes parts = children(node);
    out.children.push_back(build(require(parts, "value")));
    // All that stands between the brackets; a comma or a star makes it a tuple even for one item.
    Expression index = make(Kind::Tuple, node);
    bool isTuple = holds(parts, ",");
    for (const SyntaxNode& child : parts) {
        if (child.field != "subscript" || !child.isNamed())
            continue;
        if (index.children.empty())
            index.begin = child.begin();
        index.end = child.end();
        index.children.push_back(item(child));
        isTuple = isTuple || index.children.back().kind == Kind::Starred;
    }
    if (index.children.empty())
        failSyntax(node);
    out.children.push_back(isTuple ? std::move(index) : std::move(index.children[0]));
    liftStar(out);
    return out;
}

Expression TreeBuilder::slice(const SyntaxNode& node) {
    Expression out = make(Kind::Slice, node);
    for (int i = 0; i < 3; ++i)
        out.children.push_back(noneAt(node.begin()));
    size_t part = 0;
    for (const SyntaxNode& child : children(node)) {
        if (child.kind() == ":")
            part = std::min<size_t>(part + 1, 2);
        else
            out.children[part] = expression(child);
    }
    return out;
}

Expression TreeBuilder::call(const SyntaxNode& node) {
    const Nodes parts = children(node);
    const SyntaxNode& list = require(parts, "arguments");
    Expression out = make(Kind::Call, node);
    out.children.push_back(build(require(parts, "function")));
    if (list.kind() == "generator_expression")
        out.children.push_back(build(list));
    else
        arguments(list, out.children);
    liftStar(out);
    return out;
}

void TreeBuilder::arguments(const SyntaxNode& list, std::vector<Expression>& out) {
    const Nodes parts = children(list);
    const size_t first = out.size();
    out.reserve(first + parts.size() / 2);
    bool hasKeyword = false, hasMapping = false;
    for (const SyntaxNode& child : parts) {
        if (!child.isNamed())
            continue;
        Expression argument = item(child);
        if (argument.kind == Kind::DoubleStarred) {
            hasMapping = true;
        } else if (argument.kind == Kind::Keyword) {
            hasKeyword = true;
            for (size_t i = first; i < out.size(); ++i)
                if (out[i].kind == Kind::Keyword && out[i].text == argument.text)
                    fail(child, "keyword argument repeated: " + argument.text);
        } else if (argument.kind == Kind::Starred) {
            if (hasMapping)
                fail(child, "iterable argument unpacking follows keyword argument unpacking");
        } else if (hasMapping || hasKeyword) {
            fail(child, hasMapping ? "positional argument follows keyword argument unpacking"
                                   : "positional argument follows keyword argument");
        }
        out.push_back(std::move(argument));
    }
}

Expression TreeBuilder::keyword(const SyntaxNode& node) {
    const Nodes parts = children(node);
    const SyntaxNode& name = require(parts, "name");
    Expression out = make(Kind::Keyword, node);
    out.text = text(name);
    if (out.text == "True" || out.text == "False" || out.text == "None" || out.text == "__debug__")
        fail(name, "cannot assign to " + out.text);
    if (isKeyword(out.text))
        failSyntax(name);
    out.name = nameValue(out.text);
    out.children.push_back(expression(require(parts, "value")));
    return out;
}

Expression TreeBuilder::starred(const SyntaxNode& node) {
    Expression out = make(Kind::Starred, node);
    for (const SyntaxNode& child : children(node))
        if (child.isNamed())
            out.children.push_back(expression(child));
    if (out.children.size() != 1)
        failSyntax(node);
    return out;
}

Expression TreeBuilder::doubleStarred(const SyntaxNode& node) {
    Expression out = starred(node);
    out.kind = Kind::DoubleStarred;
    return out;
}

// --- Operators.

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
    const Nodes parts = children(node);
    const Operator op = binaryOperator(text(require(parts, "operator"))).value();
    if (op == Operator::And || op == Operator::Xor)
        return bitwise(node);
    Expression left = firstOperand(require(parts, "left"));
    return joinBinary(std::move(left), op, operand(require(parts, "right")));
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
    const Nodes parts = children(node);
    const SyntaxNode& left = require(parts, "left");
    const Kind kind = text(require(parts, "operator")) == "and" ? Kind::And : Kind::Or;
    Expression out = left.kind() == "boolean_operator" ? build(left) : make(kind, node);
    if (left.kind() != "boolean_operator") {
        out.children.push_back(firstOperand(left));
    } else if (out.kind != kind) {
        Expression inner = std::move(out);
        out = make(kind, node);
        out.children.push_back(std::move(inner));
    }
    out.begin = node.begin();
    out.end = node.end();
    out.children.push_back(operand(require(parts, "right")));
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

Expression TreeBuilder::yield(const SyntaxNode& node) {
    using Scopes = FunctionTree::Kind;
    FunctionTree& function = *m_scopes.back().tree;
    switch (function.kind) {
    case Scopes::Function:
    case Scopes::Lambda:
        function.isGenerator = true;
        break;
    case Scopes::List:
        fail(node, "'yield' inside list comprehension");
    case Scopes::Set:
        fail(node, "'yield' inside set comprehension");
    case Scopes::Dict:
        fail(node, "'yield' inside dict comprehension");
    case Scopes::Generator:
        fail(node, "'yield' inside generator expression");
    default:
        fail(node, "'yield' outside function");
    }
    Expression out = make(Kind::Yield, node);
    for (const SyntaxNode& child : children(node)) {
        if (child.kind() == "from")
            out.kind = Kind::YieldFrom;
        else if (child.isNamed())
            out.children.push_back(out.kind == Kind::Yield ? expressions(child) : expression(child));
    }
    return out;
}

Expression TreeBuilder::await(const SyntaxNode& node) {
    const bool isComprehension = m_scopes.back().tree->kind >= FunctionTree::Kind::List;
    m_scopes.back().hasAwait = true;
    if (!m_scopes.back().isAsync && !isComprehension)
        fail(node, m_scopes.back().tree->kind == FunctionTree::Kind::Module
                       ? "'await' outside function"
                       : "'await' outside async function");
    Expression out = make(Kind::Unsupported, node);
    out.text = "await";
    for (const SyntaxNode& child : children(node))
        if (child.isNamed())
            out.children.push_back(operand(child));
    return out;
}

// --- Annotations have kinds of nodes of their own.

Expression TreeBuilder::annotationType(const SyntaxNode& node) {
    const Nodes parts = children(node);
    return item(parts.at(0));
}

Expression TreeBuilder::genericType(const SyntaxNode& node) {
    const Nodes parts = children(node);
    const Nodes items = children(parts.at(1));
    Expression out = make(Kind::Subscript, node);
    out.children.push_back(makeName(parts[0]));
    Expression index = make(Kind::Tuple, parts[1]);
    for (const SyntaxNode& child : items)
        if (child.isNamed())
            index.children.push_back(item(child));
    const bool isTuple = holds(items, ",") || index.children.at(0).kind == Kind::Starred;
    if (!isTuple)
        index = Expression(std::move(index.children[0]));
    out.children.push_back(std::move(index));
    return out;
}

Expression TreeBuilder::unionType(const SyntaxNode& node) {
    // "A | B | C" may come as A | (B | C), or partly as an operator: all of it associates to the left.
    Nodes leaves;
    collectUnion(node, leaves);
    Expression out = operand(leaves.at(0));
    for (size_t i = 1; i < leaves.size(); ++i) {
        Expression wider = make(Kind::Binary, node);
        wider.op = Operator::Or;
        wider.end = leaves[i].end();
        wider.children.push_back(std::move(out));
        wider.children.push_back(operand(leaves[i]));
        out = std::move(wider);
    }
    return out;
}

void TreeBuilder::collectUnion(const SyntaxNode& node, Nodes& leaves) {
    const Level level(*this, node);
    const Nodes parts = children(node);
    if (node.kind() == "type")
        return collectUnion(parts.at(0), leaves);
    if (node.kind() != "union_type" && !(node.kind() == "binary_operator" && parts.at(1).kind() == "|"))
        return leaves.push_back(node);
    collectUnion(parts.at(0), leaves);
    collectUnion(parts.at(2), leaves);
}

Expression TreeBuilder::memberType(const SyntaxNode& node) {
    const Nodes parts = children(node);
    Expression out = make(Kind::Attribute, node);
    out.children.push_back(operand(parts.at(0)));
    out.text = mangled(text(parts.at(2)));
    out.name = nameValue(out.text);
    return out;
}

Expression TreeBuilder::constrainedType(const SyntaxNode& node) {
    const Nodes parts = children(node);
    Expression out = make(Kind::Slice, node);
    out.children.push_back(expression(parts.at(0)));
    out.children.push_back(expression(parts.at(2)));
    out.children.push_back(noneAt(node.end()));
    return out;
}

} // namespace fx
