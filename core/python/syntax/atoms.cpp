// SPDX-License-Identifier: GPL-3.0-or-later
// Names, numbers, displays, and what follows them: attributes, subscripts, calls.
#include "core/python/literals.h"
#include "core/python/syntax/expression_parser.h"

#include <set>

namespace fx {

using Trees = FunctionTree::Kind;

// --- Names and constants.

std::string_view ExpressionParser::identifier() {
    const std::string_view text = word();
    expect(Token::Kind::Name);
    return text;
}

Expression ExpressionParser::name() {
    const uint32_t begin = here();
    const std::string_view text = identifier();
    return makeName(text, begin, lastEnd());
}

Expression ExpressionParser::dottedName() {
    const uint32_t begin = here();
    Expression out = name();
    while (is("."))
        attribute(out, begin);
    return out;
}

Expression ExpressionParser::constant(Value value) {
    const uint32_t begin = here();
    advance();
    Expression out = make(Kind::Constant, begin);
    out.constant = std::move(value);
    return out;
}

Expression ExpressionParser::atom() {
    switch (token().kind) {
    case Token::Kind::Name:
        return name();
    case Token::Kind::Number:
        return constant(numberLiteral(word()));
    case Token::Kind::String:
        return strings();
    case Token::Kind::Keyword:
        if (is("None"))
            return constant(Value());
        if (is("True") || is("False"))
            return constant(c10::IValue(is("True")));
        stumble();
    case Token::Kind::Operator:
        if (is("("))
            return grouped();
        if (is("["))
            return listDisplay();
        if (is("{"))
            return braces();
        if (is("..."))
            return constant(Object{Argument(EllipsisValue())});
        stumble();
    default:
        stumble();
    }
}

// --- What follows them.

Expression ExpressionParser::primary() {
    const uint32_t begin = here();
    Expression out = atom();
    for (;;) {
        if (is("."))
            attribute(out, begin);
        else if (is("("))
            call(out, begin);
        else if (is("["))
            subscript(out, begin);
        else
            return out;
    }
}

void ExpressionParser::attribute(Expression& object, uint32_t begin) {
    advance();
    const std::string_view text = identifier();
    enclose(object, Kind::Attribute, begin);
    object.text = mangled(text);
    object.name = nameValue(object.text);
}

void ExpressionParser::subscript(Expression& object, uint32_t begin) {
    advance();
    Expression index = make(Kind::Tuple, here());
    bool isTuple = false;
    do {
        adopt(index, is("*") ? starred(Kind::Starred, true) : subscriptItem());
        index.end = lastEnd();
        isTuple = isTuple || is(",") || index.children.back().kind == Kind::Starred;
    } while (accept(",") && !is("]"));
    expect("]");
    enclose(object, Kind::Subscript, begin);
    adopt(object, isTuple ? std::move(index) : Expression(std::move(index.children[0])));
}

Expression ExpressionParser::subscriptItem() {
    const uint32_t begin = here();
    Expression out = is(":") ? noneAt(begin) : namedExpression();
    if (is(":") && (out.kind != Kind::NamedValue || out.begin != begin))
        slice(out, begin);
    return out;
}

void ExpressionParser::slice(Expression& first, uint32_t begin) {
    const auto bound = [&] { return is(":") || is(",") || is("]") ? noneAt(begin) : expression(); };
    enclose(first, Kind::Slice, begin);
    advance();
    adopt(first, bound());
    adopt(first, accept(":") ? bound() : noneAt(begin));
    first.end = lastEnd();
}

void ExpressionParser::call(Expression& callee, uint32_t begin) {
    enclose(callee, Kind::Call, begin);
    arguments(callee.children, true);
    callee.end = lastEnd();
    for (const Expression& argument : callee.children)
        cover(callee, argument);
}

void ExpressionParser::arguments(std::vector<Expression>& out, bool isCall) {
    const uint32_t open = here();
    bool hasKeyword = false, hasMapping = false, isFirst = true;
    std::set<std::string_view> names;
    expect("(");
    while (!is(")")) {
        const uint32_t begin = here();
        const std::string_view first = word();
        out.push_back(argument(isCall, isFirst, open));
        const Expression& argument = out.back();
        if (argument.kind == Kind::DoubleStarred) {
            hasMapping = true;
        } else if (argument.kind == Kind::Keyword) {
            hasKeyword = true;
            if (!names.insert(first).second)
                later(begin, "keyword argument repeated: " + argument.text);
        } else if (argument.kind == Kind::Starred) {
            if (hasMapping)
                fail(begin, "iterable argument unpacking follows keyword argument unpacking");
        } else if (hasMapping || hasKeyword) {
            fail(begin, hasMapping ? "positional argument follows keyword argument unpacking"
                                   : "positional argument follows keyword argument");
        }
        isFirst = false;
        if (!accept(","))
            break;
    }
    expect(")");
}

Expression ExpressionParser::argument(bool isCall, bool isFirst, uint32_t open) {
    if (is("*") || is("**"))
        return starred(is("*") ? Kind::Starred : Kind::DoubleStarred, true);
    const bool isKeyword = (is(Token::Kind::Name) || is(Token::Kind::Keyword)) && followingWord() == "=";
    return isKeyword ? keyword() : positional(isCall, isFirst, open);
}

Expression ExpressionParser::positional(bool isCall, bool isFirst, uint32_t open) {
    const uint32_t begin = here();
    const Marks before = beginPart();
    Expression out = namedExpression();
    if (!isComprehension() || (isFirst && !isCall)) {
        endPart(before);
        return out;
    }
    enclose(out, Kind::Comprehension, open);
    comprehension(out, Trees::Generator, "", before);
    if (!isFirst || is(","))
        fail(begin, "Generator expression must be parenthesized");
    out.end = out.function->end = token().end; // the call's brackets are its own
    return out;
}

Expression ExpressionParser::keyword() {
    const uint32_t begin = here();
    Expression out;
    out.text = word();
    if (is("True") || is("False") || is("None"))
        fail(begin, "cannot assign to " + out.text);
    if (is("__debug__"))
        later(begin, "cannot assign to __debug__");
    expect(Token::Kind::Name);
    advance();
    out.kind = Kind::Keyword;
    out.begin = begin;
    out.name = nameValue(out.text);
    adopt(out, expression());
    out.end = lastEnd();
    return out;
}

// --- Displays.

Expression ExpressionParser::grouped() {
    const uint32_t begin = here();
    advance();
    return accept(")") ? make(Kind::Tuple, begin) : groupContent(begin, ")");
}

Expression ExpressionParser::groupContent(uint32_t begin, std::string_view close) {
    const uint32_t start = here();
    const Marks before = beginPart();
    const bool isYield = is("yield");
    Expression out = isYield ? yield() : item();
    if (isComprehension() && !isYield) {
        enclose(out, Kind::Comprehension, begin);
        comprehension(out, Trees::Generator, close, before);
        return out;
    }
    endPart(before);
    const bool isTuple = is(",") && !isYield;
    if (isTuple)
        commaSeparated(out, begin, &ExpressionParser::item);
    else if (out.kind == Kind::Starred && is(close))
        fail(start, "cannot use starred expression here");
    endGroup(close);
    if (isTuple)
        out.end = lastEnd();
    return out;
}

void ExpressionParser::endGroup(std::string_view close) {
    if (!close.empty())
        expect(close);
}

Expression ExpressionParser::listDisplay() {
    Expression out = make(Kind::List, here());
    advance();
    if (!accept("]")) {
        const Marks before = beginPart();
        adopt(out, item());
        display(out, Trees::List, "]", before);
    }
    out.end = lastEnd();
    return out;
}

Expression ExpressionParser::braces() {
    Expression out = make(Kind::Dict, here());
    advance();
    if (!accept("}")) {
        const Marks before = beginPart();
        const uint32_t start = here();
        if (!is("**"))
            adopt(out, item());
        const bool isSet = !out.children.empty() &&
                           (!is(":") || out.children[0].kind == Kind::Starred ||
                            (out.children[0].kind == Kind::NamedValue && out.children[0].begin == start));
        out.kind = isSet ? Kind::Set : Kind::Dict;
        isSet ? display(out, Trees::Set, "}", before) : dictDisplay(out, before);
    }
    out.end = lastEnd();
    return out;
}

void ExpressionParser::display(Expression& out, Trees kind, std::string_view close, const Marks& before) {
    if (isComprehension())
        return comprehension(out, kind, close, before);
    endPart(before);
    moreItems(out, &ExpressionParser::item);
    if (isComprehension() && out.children.size() > 1)
        fail(out.children[0].begin, "did you forget parentheses around the comprehension target?");
    expect(close);
}

void ExpressionParser::dictDisplay(Expression& out, const Marks& before) {
    bool hasKey = !out.children.empty();
    do {
        const uint32_t start = here();
        if (!hasKey && accept("**")) {
            adopt(out, make(Kind::DoubleStarred, start));
            adopt(out, operation(kBitOr));
            out.children[out.children.size() - 2].end = lastEnd();
            if (isComprehension())
                fail(start, "dict unpacking cannot be used in dict comprehension");
            continue;
        }
        if (!hasKey)
            adopt(out, expression());
        hasKey = false;
        if (!is(":"))
            fail(m_source->tokens[m_at - 1].begin, "':' expected after dictionary key");
        advance();
        if (is("*"))
            fail(here(), "cannot use a starred expression in a dictionary value");
        if (is("}") || is(","))
            fail(m_source->tokens[m_at - 1].begin, "expression expected after dictionary key and ':'");
        adopt(out, expression());
        if (isComprehension() && out.children.size() == 2)
            return comprehension(out, Trees::Dict, "}", before);
    } while (accept(",") && !is("}"));
    endPart(before);
    expect("}");
}

} // namespace fx
