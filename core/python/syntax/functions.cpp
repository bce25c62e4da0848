// SPDX-License-Identifier: GPL-3.0-or-later
// Lambdas, comprehensions, parameters: what has names of its own, and what belongs to the function around it.
#include "core/python/syntax/annotation_text.h"
#include "core/python/syntax/expression_parser.h"

namespace fx {

using Trees = FunctionTree::Kind;
using Parameter = FunctionTree::Parameter;

// --- Scopes.

ExpressionParser::ScopeEntry::ScopeEntry(ExpressionParser& p, FunctionTree& tree, bool isAsync, Marks marks)
    : parser(p) {
    parser.m_scopes.push_back({&tree, isAsync, marks});
}

void ExpressionParser::ScopeEntry::finish() {
    const Scope& scope = parser.m_scopes.back();
    const Trees kind = scope.tree->kind;
    static constexpr std::string_view kNames[] = {"list comprehension", "set comprehension",
                                                  "dict comprehension", "generator expression"};
    if (scope.marks.yield && (kind == Trees::Function || kind == Trees::Lambda))
        scope.tree->isGenerator = true;
    else if (scope.marks.yield && kind >= Trees::List)
        parser.later(*scope.marks.yield,
                     "'yield' inside " +
                         std::string(kNames[static_cast<int>(kind) - static_cast<int>(Trees::List)]));
    else if (scope.marks.yield)
        parser.later(*scope.marks.yield, "'yield' outside function");
    if (scope.marks.await && !scope.isAsync && kind < Trees::List)
        parser.later(*scope.marks.await, kind == Trees::Module || kind == Trees::Class
                                             ? "'await' outside function"
                                             : "'await' outside async function");
}

void ExpressionParser::endPart(const Marks& before) {
    Marks& marks = m_scopes.back().marks;
    marks.yield = before.yield ? before.yield : marks.yield;
    marks.await = before.await ? before.await : marks.await;
}

Expression ExpressionParser::yield() {
    const uint32_t begin = here();
    advance();
    Scope& scope = m_scopes.back();
    if (!scope.marks.yield)
        scope.marks.yield = begin;
    Expression out = make(Kind::Yield, begin);
    if (accept("from")) {
        if (scope.isAsync)
            later(begin, "'yield from' inside async function");
        out.kind = Kind::YieldFrom;
        adopt(out, expression());
    } else if (beginsExpression(token())) {
        adopt(out, expressions());
    }
    out.end = lastEnd();
    return out;
}

Expression ExpressionParser::await() {
    const Level level(*this);
    const uint32_t begin = here();
    advance();
    Marks& marks = m_scopes.back().marks;
    if (!marks.await)
        marks.await = begin;
    Expression out = make(Kind::Unsupported, begin);
    out.text = "await";
    adopt(out, primary());
    out.end = lastEnd();
    return out;
}

// --- Lambdas and comprehensions.

Expression ExpressionParser::lambda() {
    const Level level(*this);
    Expression out = make(Kind::Lambda, here());
    out.function = std::make_shared<FunctionTree>();
    FunctionTree& function = *out.function;
    function.kind = Trees::Lambda;
    function.name = "<lambda>";
    function.begin = out.begin;
    advance();
    parameters(function, ":");
    for (const Parameter& parameter : function.parameters)
        for (const Expression& value : parameter.defaultValue)
            cover(out, value);
    expect(":");
    ScopeEntry scope(*this, function, false);
    Statement& result = function.body.emplace_back();
    result.kind = Statement::Kind::Return;
    result.begin = here();
    result.expressions.push_back(expression());
    cover(out, result.expressions[0]);
    scope.finish();
    out.end = function.end = result.end = lastEnd();
    return out;
}

void ExpressionParser::comprehension(Expression& out, Trees kind, std::string_view close,
                                     const Marks& before) {
    if (out.children[0].kind == Kind::Starred)
        fail(out.children[0].begin, "iterable unpacking cannot be used in comprehension");
    Scope& outer = m_scopes.back();
    const Marks own = std::exchange(outer.marks, before);
    const bool isOuterAsync = outer.isAsync || outer.tree->kind >= Trees::List;
    out.kind = Kind::Comprehension;
    out.function = std::make_shared<FunctionTree>();
    FunctionTree& function = *out.function;
    function.kind = kind;
    function.name = kind == Trees::List   ? "<listcomp>"
                    : kind == Trees::Set  ? "<setcomp>"
                    : kind == Trees::Dict ? "<dictcomp>"
                                          : "<genexpr>";
    function.isGenerator = kind == Trees::Generator;
    function.element = std::exchange(out.children, {});

    bool isAsync = clause(function);
    // The first iterable belongs to the scope around.
    adopt(out, disjunction());
    ScopeEntry scope(*this, function, isOuterAsync, own);
    while (is("if") || isComprehension()) {
        FunctionTree::Clause& last = function.clauses.back();
        if (accept("if")) {
            last.conditions.push_back(disjunction());
            cover(out, last.conditions.back());
            continue;
        }
        isAsync = clause(function) || isAsync;
        function.clauses.back().iterable.push_back(disjunction());
        cover(out, function.clauses.back().iterable[0]);
    }
    endGroup(close);
    scope.finish();
    function.begin = out.begin;
    out.end = function.end = lastEnd();
    if (isAsync || m_scopes.back().marks.await) {
        if (!isOuterAsync && kind != Trees::Generator)
            later(out.begin, "asynchronous comprehension outside of an asynchronous function");
        out.kind = Kind::Unsupported;
        out.text = "async for";
    }
}

bool ExpressionParser::clause(FunctionTree& function) {
    const bool isAsync = accept("async");
    expect("for");
    function.clauses.emplace_back().target.push_back(loopTarget());
    expect("in");
    return isAsync;
}

// --- Parameters.

Expression ExpressionParser::annotation(bool allowsStar) {
    const uint32_t begin = here();
    Expression out = allowsStar && is("*") ? starred(Kind::Starred, false) : expression();
    if (!m_hasFutureAnnotations)
        return out;
    // from __future__ import annotations: they stay text.
    Expression text = make(Kind::Constant, begin);
    text.constant = makeText(annotationText(out, m_file.text));
    return text;
}

void ExpressionParser::parameters(FunctionTree& function, std::string_view close) {
    ParameterOrder order;
    while (!is(close)) {
        const uint32_t begin = here();
        const bool isBareStar = is("*") && (followingWord() == "," || followingWord() == close);
        if (order.hasKwargs)
            fail(begin, "arguments cannot follow var-keyword argument");
        if (is("*") && order.hasStar)
            fail(begin, "* argument may appear only once");
        if (accept("/")) {
            if (order.hasSlash || order.hasStar || function.parameters.empty())
                fail(begin, order.hasSlash  ? "/ may appear only once"
                            : order.hasStar ? "/ must be ahead of *"
                                            : "at least one argument must precede /");
            order.hasSlash = true;
            for (Parameter& parameter : function.parameters)
                parameter.kind = Parameter::Kind::PositionalOnly;
        } else if (isBareStar) {
            advance();
            order.hasStar = true;
            order.bareStar = begin;
        } else {
            parameter(function, order, close == ":");
        }
        if (!accept(","))
            break;
    }
    if (order.bareStar)
        fail(*order.bareStar, "named arguments must follow bare *");
}

void ExpressionParser::parameter(FunctionTree& function, ParameterOrder& order, bool isLambda) {
    using Kinds = Parameter::Kind;
    const uint32_t begin = here();
    if (is("**") && order.bareStar)
        fail(*order.bareStar, "named arguments must follow bare *");
    Parameter& out = function.parameters.emplace_back();
    out.kind = accept("*")     ? Kinds::Args
               : accept("**")  ? Kinds::Kwargs
               : order.hasStar ? Kinds::KeywordOnly
                               : Kinds::Positional;
    const bool isStarred = out.kind == Kinds::Args || out.kind == Kinds::Kwargs;
    order.hasStar = order.hasStar || isStarred;
    order.hasKwargs = out.kind == Kinds::Kwargs;
    order.bareStar.reset();

    const uint32_t nameAt = here();
    if (is("(") && !isStarred && followingWord() != ")")
        fail(begin, isLambda ? "Lambda expression parameters cannot be parenthesized"
                             : "Function parameters cannot be parenthesized");
    out.name = mangled(identifier());
    if (out.name == "__debug__")
        later(nameAt, "cannot assign to __debug__");
    if (!order.names.insert(out.name).second)
        later(nameAt, "duplicate argument '" + out.name + "' in function definition");
    if (!isLambda && accept(":"))
        out.annotation.push_back(annotation(out.kind == Kinds::Args));
    if (!is("=")) {
        if (order.hasDefault && out.kind == Kinds::Positional)
            fail(begin, "non-default argument follows default argument");
        return;
    }
    if (isStarred)
        fail(here(), std::string(out.kind == Kinds::Args ? "var-positional" : "var-keyword") +
                         " argument cannot have default value");
    if (followingWord() == ")" || followingWord() == ",")
        fail(here(), "expected default value expression");
    advance();
    order.hasDefault = order.hasDefault || out.kind == Kinds::Positional;
    out.defaultValue.push_back(expression());
}

} // namespace fx
