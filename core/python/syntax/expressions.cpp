// SPDX-License-Identifier: GPL-3.0-or-later
// What stands where, operators by precedence, and what all expressions are made with.
#include "core/base/text.h"
#include "core/python/syntax/expression_parser.h"

#include <algorithm>

namespace fx {

static_assert(std::is_nothrow_move_constructible_v<Expression> &&
              std::is_nothrow_move_constructible_v<Statement>); // else growing vectors would copy whole trees

namespace {

/// Bounds the recursion here and in everybody who walks the tree.
constexpr int kDeepest = 200;
/// Also of trees that were read without recursion: `a + b + c` is (a + b) + c. Python's own limit is near.
constexpr uint16_t kHighest = 2900;

} // namespace

ExpressionParser::ExpressionParser(const SourceFile& file, const TokenizedSource& source)
    : TokenReader(file, source) {}

std::optional<Expression> ExpressionParser::tryAll() {
    const ScopeEntry scope(*this, *m_file.module, false);
    try {
        Expression out = expressions();
        if (is(Token::Kind::End))
            return out;
    } catch (const Stumble&) {
    } catch (const Error&) {
    }
    return std::nullopt;
}

// --- Trees.

ExpressionParser::Level::Level(ExpressionParser& parser) : depth(parser.m_depth) {
    if (depth >= kDeepest)
        parser.fail(parser.here(), "too deeply nested");
    ++depth;
}

Expression ExpressionParser::make(Kind kind, uint32_t begin) const {
    Expression out;
    out.kind = kind;
    out.begin = begin;
    out.end = lastEnd();
    return out;
}

Expression ExpressionParser::noneAt(uint32_t at) const {
    Expression out;
    out.begin = out.end = at;
    return out;
}

void ExpressionParser::cover(Expression& parent, const Expression& part) const {
    parent.height = std::max<uint16_t>(parent.height, part.height + 1);
    if (parent.height > kHighest)
        fail(parent.begin, "too deeply nested");
}

void ExpressionParser::adopt(Expression& parent, Expression child) const {
    cover(parent, child);
    parent.children.push_back(std::move(child));
}

void ExpressionParser::enclose(Expression& e, Kind kind, uint32_t begin) const {
    Expression out = make(kind, begin);
    adopt(out, std::move(e));
    e = std::move(out);
}

Value ExpressionParser::nameValue(const std::string& text) {
    const auto [entry, isNew] = m_names.try_emplace(text);
    if (isNew)
        entry->second = makeText(text);
    return entry->second;
}

Expression ExpressionParser::makeName(std::string_view text, uint32_t begin, uint32_t end) {
    Expression out;
    out.kind = Kind::Name;
    out.begin = begin;
    out.end = end;
    out.text = mangled(text);
    out.name = nameValue(out.text);
    return out;
}

std::string ExpressionParser::mangled(std::string_view name) const {
    if (!name.starts_with("__") || name.ends_with("__"))
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

void ExpressionParser::later(uint32_t at, std::string message) {
    if (!m_late)
        m_late = LateFault{at, std::move(message)};
}

void ExpressionParser::throwLater() const {
    if (m_late)
        fail(m_late->at, m_late->message);
}

// --- What stands where.

Expression ExpressionParser::assigned() {
    return is("yield") ? yield() : expressions();
}

Expression ExpressionParser::expressions() {
    Expression out = starExpressions();
    if (out.kind == Kind::Starred)
        later(out.begin, "can't use starred expression here");
    return out;
}

Expression ExpressionParser::starExpressions() {
    const uint32_t begin = here();
    Expression out = starItem();
    if (is(","))
        commaSeparated(out, begin, &ExpressionParser::starItem);
    return out;
}

void ExpressionParser::commaSeparated(Expression& first, uint32_t begin,
                                      Expression (ExpressionParser::*item)()) {
    enclose(first, Kind::Tuple, begin);
    moreItems(first, item);
}

void ExpressionParser::moreItems(Expression& out, Expression (ExpressionParser::*item)()) {
    // Behind the last comma nothing may follow that begins an expression.
    while (accept(",") && beginsExpression(token()))
        adopt(out, (this->*item)());
    out.end = lastEnd();
}

bool ExpressionParser::beginsExpression(const Token& token) const {
    static constexpr std::string_view kWords[] = {
        "None", "True", "False", "not", "lambda", "await", "yield", "(", "[", "{", "*", "-", "+", "~", "..."};
    switch (token.kind) {
    case Token::Kind::Name:
    case Token::Kind::Number:
    case Token::Kind::String:
        return true;
    case Token::Kind::Keyword:
    case Token::Kind::Operator:
        return std::find(std::begin(kWords), std::end(kWords), textOf(m_file, token)) != std::end(kWords);
    default:
        return false;
    }
}

Expression ExpressionParser::starItem() {
    return is("*") ? starred(Kind::Starred, false) : expression();
}

Expression ExpressionParser::item() {
    return is("*") ? starred(Kind::Starred, false) : namedExpression();
}

Expression ExpressionParser::starred(Kind kind, bool isLoose) {
    Expression out = make(kind, here());
    advance();
    adopt(out, isLoose ? expression() : operation(kBitOr));
    out.end = lastEnd();
    return out;
}

Expression ExpressionParser::namedExpression() {
    const size_t start = m_at;
    Expression out = expression();
    if (is(":=") && out.kind == Kind::Name && m_at == start + 1)
        namedValue(out);
    return out;
}

void ExpressionParser::namedValue(Expression& name) {
    checkTarget(name);
    advance();
    enclose(name, Kind::NamedValue, name.begin);
    adopt(name, expression());
    name.end = lastEnd();
}

Expression ExpressionParser::expression() {
    return is("lambda") ? lambda() : conditional();
}

Expression ExpressionParser::conditional() {
    const uint32_t begin = here();
    Expression out = disjunction();
    if (is("if"))
        alternatives(out, begin);
    return out;
}

void ExpressionParser::alternatives(Expression& value, uint32_t begin) {
    const Level level(*this);
    advance();
    enclose(value, Kind::Conditional, begin);
    adopt(value, disjunction());
    expect("else");
    adopt(value, expression());
    value.end = lastEnd();
}

Expression ExpressionParser::disjunction() {
    return operation(kOr);
}

// --- Operators. What is read becomes a part of the wider expression in its place: nested expressions shall
// not take much of the stack.

Expression ExpressionParser::operation(int least) {
    const Level level(*this);
    const uint32_t begin = here();
    Expression left = prefixed(least);
    for (;;) {
        if (const std::optional<BinarySign> sign = binarySign(word()); sign && sign->precedence >= least)
            binary(left, *sign);
        else if (least <= kCompare && comparisonSign(word(), followingWord()))
            comparison(left, begin);
        else if (least <= kAnd && is("and"))
            logical(left, Kind::And, begin);
        else if (least <= kOr && is("or"))
            logical(left, Kind::Or, begin);
        else
            return left;
    }
}

Expression ExpressionParser::prefixed(int least) {
    if (is("not") || unarySign(word()))
        return unary(least);
    return is("await") ? await() : primary();
}

Expression ExpressionParser::unary(int least) {
    const bool isNot = is("not");
    if (isNot && least > kNot)
        stumble();
    Expression out = make(isNot ? Kind::Not : Kind::Unary, here());
    out.op = unarySign(word()).value_or(Operator::Add);
    advance();
    adopt(out, operation(isNot ? kNot : kUnary));
    out.end = lastEnd();
    return out;
}

void ExpressionParser::binary(Expression& left, const BinarySign& sign) {
    advance();
    Expression right = operation(sign.op == Operator::Pow ? kUnary : sign.precedence + 1);
    enclose(left, Kind::Binary, left.begin);
    left.op = sign.op;
    left.end = right.end;
    adopt(left, std::move(right));
}

void ExpressionParser::logical(Expression& first, Kind kind, uint32_t begin) {
    const std::string_view sign = word();
    enclose(first, kind, begin);
    while (accept(sign))
        adopt(first, operation(kind == Kind::And ? kNot : kAnd));
    first.end = lastEnd();
}

void ExpressionParser::comparison(Expression& first, uint32_t begin) {
    enclose(first, Kind::Compare, begin);
    while (const std::optional<Operator> op = comparisonSign(word(), followingWord())) {
        advance();
        if (op == Operator::IsNot || op == Operator::NotIn)
            advance();
        first.operators.push_back(*op);
        adopt(first, operation(kBitOr));
    }
    first.end = lastEnd();
}

} // namespace fx
