// SPDX-License-Identifier: GPL-3.0-or-later
// Functions, lambdas, classes and comprehensions: all that has names of its own, with parameters and
// decorators.
#include "core/base/text.h"
#include "core/python/tree_builder.h"

#include <algorithm>
#include <set>

namespace fx {

using Parameter = FunctionTree::Parameter;

TreeBuilder::ScopeEntry::ScopeEntry(TreeBuilder& b, FunctionTree& tree, bool isAsync) : builder(b) {
    builder.m_scopes.push_back({&tree, isAsync});
}

// --- Parameters.

Expression TreeBuilder::annotation(const SyntaxNode& node, bool allowsStar) {
    Expression out = build(node);
    if ((out.kind == Kind::Starred && !allowsStar) || out.kind == Kind::Slice)
        failSyntax(node);
    if (!m_hasFutureAnnotations)
        return out;
    // from __future__ import annotations: they stay text.
    std::string source;
    for (const char c : std::string_view(m_file.text).substr(out.begin, out.end - out.begin))
        if (c != '\n' && !(c == ' ' && source.ends_with(' ')))
            source += c;
    return constant(node, makeText(std::move(source)));
}

void TreeBuilder::parameters(const SyntaxNode& node, FunctionTree& function,
                             std::vector<Expression>& defaults) {
    using Kinds = Parameter::Kind;
    std::set<std::string> seen;
    bool isKeywordOnly = false, hasStar = false, hasSlash = false, hasDefault = false;
    const SyntaxNode* bareStar = nullptr;
    const Nodes parts = children(node);

    const auto add = [&](const SyntaxNode& name, Kinds kind) -> Parameter& {
        if (name.kind() != "identifier")
            fail(name, name.kind() == "tuple_pattern" ? "Function parameters cannot be parenthesized"
                                                      : "invalid syntax");
        Parameter parameter;
        parameter.name = makeName(name).text;
        parameter.kind = kind;
        if (parameter.name == "__debug__")
            fail(name, "cannot assign to __debug__");
        if (!seen.insert(parameter.name).second)
            fail(name, "duplicate argument '" + parameter.name + "' in function definition");
        bareStar = nullptr;
        return function.parameters.emplace_back(std::move(parameter));
    };
    const auto addStarred = [&](const SyntaxNode& child) -> Parameter& {
        const bool isArgs = child.kind() == "list_splat_pattern";
        if (isArgs && hasStar)
            fail(child, "* argument may appear only once");
        hasStar = true;
        isKeywordOnly = true;
        return add(children(child).at(1), isArgs ? Kinds::Args : Kinds::Kwargs);
    };
    const auto addDefault = [&](Parameter& parameter, const SyntaxNode& value) {
        parameter.hasDefault = true;
        hasDefault = hasDefault || !isKeywordOnly;
        defaults.push_back(expression(value));
    };

    for (const SyntaxNode& child : parts) {
        if (!child.isNamed())
            continue;
        const Kinds kind = isKeywordOnly ? Kinds::KeywordOnly : Kinds::Positional;
        if (!function.parameters.empty() && function.parameters.back().kind == Kinds::Kwargs)
            fail(child, "arguments cannot follow var-keyword argument");
        const std::string_view what = child.kind();
        const auto requireDefault = [&] {
            if (hasDefault && !isKeywordOnly)
                fail(child, "non-default argument follows default argument");
        };
        if (what == "keyword_separator") {
            if (hasStar)
                fail(child, "* argument may appear only once");
            hasStar = isKeywordOnly = true;
            bareStar = &child;
        } else if (what == "positional_separator") {
            if (hasSlash || hasStar || function.parameters.empty())
                fail(child, hasSlash  ? "/ may appear only once"
                            : hasStar ? "/ must be ahead of *"
                                      : "at least one argument must precede /");
            hasSlash = true;
            for (Parameter& parameter : function.parameters)
                parameter.kind = Kinds::PositionalOnly;
        } else if (what == "default_parameter" || what == "typed_default_parameter") {
            const Nodes inner = children(child);
            Parameter& parameter = add(require(inner, "name"), kind);
            if (const SyntaxNode* type = find(inner, "type"))
                parameter.annotation.push_back(annotation(*type));
            addDefault(parameter, require(inner, "value"));
        } else if (what == "typed_parameter") {
            const Nodes inner = children(child);
            const bool isPlain = inner.at(0).kind() == "identifier";
            if (isPlain)
                requireDefault();
            if (node.kind() == "lambda_parameters")
                failSyntax(child);
            Parameter& parameter = isPlain ? add(inner[0], kind) : addStarred(inner[0]);
            parameter.annotation.push_back(annotation(require(inner, "type"), parameter.kind == Kinds::Args));
        } else if (what == "list_splat_pattern" || what == "dictionary_splat_pattern") {
            if (what == "dictionary_splat_pattern" && bareStar)
                fail(*bareStar, "named arguments must follow bare *");
            addStarred(child);
        } else {
            requireDefault();
            add(child, kind);
        }
    }
    if (bareStar)
        fail(*bareStar, "named arguments must follow bare *");
}

// --- Functions and classes.

void TreeBuilder::body(const SyntaxNode& node, FunctionTree& function) {
    function.body = block(node);
    takeDocstring(function);
}

void TreeBuilder::takeDocstring(FunctionTree& function) {
    if (function.body.empty() || function.body[0].kind != Statement::Kind::Expression)
        return;
    const Expression& first = function.body[0].expressions[0];
    if (first.kind == Kind::Constant && first.constant.isString()) {
        function.hasDocstring = true;
        function.docstring = first.constant.text();
    }
}

Expression TreeBuilder::lambda(const SyntaxNode& node) {
    const Nodes parts = children(node);
    Expression out = make(Kind::Lambda, node);
    out.function = std::make_shared<FunctionTree>();
    FunctionTree& function = *out.function;
    function.kind = FunctionTree::Kind::Lambda;
    function.name = "<lambda>";
    function.begin = node.begin();
    function.end = node.end();
    if (const SyntaxNode* list = find(parts, "parameters"))
        parameters(*list, function, out.children);
    const ScopeEntry entry(*this, function, false);
    const SyntaxNode& value = require(parts, "body");
    if (value.kind() == "named_expression")
        fail(value, "cannot use assignment expressions with lambda");
    Statement& result = add(function.body, Statement::Kind::Return, value);
    result.expressions.push_back(expression(value));
    return out;
}

void TreeBuilder::functionDefinition(const SyntaxNode& node, Statement& out) {
    const Nodes parts = children(node);
    const bool isAsync = holds(parts, "async");
    out.target.push_back(makeName(require(parts, "name")));
    out.function = std::make_shared<FunctionTree>();
    FunctionTree& function = *out.function;
    function.name = text(require(parts, "name"));
    function.begin = node.begin();
    function.end = node.end();
    parameters(require(parts, "parameters"), function, out.expressions);
    if (const SyntaxNode* type = find(parts, "return_type"))
        function.returns.push_back(annotation(*type));
    if (isAsync || find(parts, "type_parameters")) {
        out.kind = Statement::Kind::Unsupported;
        out.text = isAsync ? "async def" : "type parameters";
    }
    const ScopeEntry entry(*this, function, isAsync);
    body(require(parts, "body"), function);
}

void TreeBuilder::classDefinition(const SyntaxNode& node, Statement& out) {
    const Nodes parts = children(node);
    out.target.push_back(makeName(require(parts, "name")));
    if (const SyntaxNode* bases = find(parts, "superclasses"))
        arguments(*bases, out.expressions);
    out.function = std::make_shared<FunctionTree>();
    FunctionTree& function = *out.function;
    function.kind = FunctionTree::Kind::Class;
    function.name = text(require(parts, "name"));
    function.begin = node.begin();
    function.end = node.end();
    if (find(parts, "type_parameters")) {
        out.kind = Statement::Kind::Unsupported;
        out.text = "type parameters";
    }
    const ScopeEntry entry(*this, function, false);
    body(require(parts, "body"), function);
}

void TreeBuilder::decorated(const SyntaxNode& node, Statement& out) {
    for (const SyntaxNode& child : children(node)) {
        startLine(child.begin());
        if (child.kind() == "decorator") {
            out.expressions.push_back(namedExpression(children(child).at(1)));
            ++out.decoratorCount;
        } else {
            const bool isClass = child.kind() == "class_definition";
            out.kind = isClass ? Statement::Kind::ClassDef : Statement::Kind::FunctionDef;
            isClass ? classDefinition(child, out) : functionDefinition(child, out);
        }
    }
}

void TreeBuilder::functionStatement(const SyntaxNode& node, Block& out) {
    functionDefinition(node, add(out, Statement::Kind::FunctionDef, node));
}

void TreeBuilder::classStatement(const SyntaxNode& node, Block& out) {
    classDefinition(node, add(out, Statement::Kind::ClassDef, node));
}

void TreeBuilder::decoratedStatement(const SyntaxNode& node, Block& out) {
    decorated(node, add(out, Statement::Kind::FunctionDef, node));
}

// --- What belongs to the function around it.

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
        if (child.kind() == "from" && m_scopes.back().isAsync)
            fail(node, "'yield from' inside async function");
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

// --- Comprehensions.

Expression TreeBuilder::listComprehension(const SyntaxNode& node) {
    return comprehension(node, FunctionTree::Kind::List);
}

Expression TreeBuilder::setComprehension(const SyntaxNode& node) {
    return comprehension(node, FunctionTree::Kind::Set);
}

Expression TreeBuilder::dictComprehension(const SyntaxNode& node) {
    return comprehension(node, FunctionTree::Kind::Dict);
}

Expression TreeBuilder::generator(const SyntaxNode& node) {
    return comprehension(node, FunctionTree::Kind::Generator);
}

Expression TreeBuilder::comprehension(const SyntaxNode& node, FunctionTree::Kind kind) {
    using Kinds = FunctionTree::Kind;
    const Nodes parts = children(node);
    Expression out = make(Kind::Comprehension, node);
    out.function = std::make_shared<FunctionTree>();
    FunctionTree& function = *out.function;
    function.kind = kind;
    function.name = kind == Kinds::List   ? "<listcomp>"
                    : kind == Kinds::Set  ? "<setcomp>"
                    : kind == Kinds::Dict ? "<dictcomp>"
                                          : "<genexpr>";
    function.isGenerator = kind == Kinds::Generator;
    function.begin = node.begin();
    function.end = node.end();

    // The first iterable belongs to the scope around.
    const bool isOuterAsync = m_scopes.back().isAsync || m_scopes.back().tree->kind >= Kinds::List;
    for (const SyntaxNode& part : parts) {
        if (part.kind() != "for_in_clause")
            continue;
        const Nodes clause = children(part);
        out.children.push_back(operand(require(clause, "right")));
        break;
    }
    const ScopeEntry entry(*this, function, isOuterAsync);
    bool isAsync = false;
    for (const SyntaxNode& part : parts) {
        if (part.kind() == "for_in_clause") {
            const Nodes inner = children(part);
            FunctionTree::Clause& clause = function.clauses.emplace_back();
            clause.target.push_back(target(require(inner, "left")));
            if (function.clauses.size() > 1)
                clause.iterable.push_back(operand(require(inner, "right")));
            // "for x in a, b" is Python 2's.
            if (inner.back().isNamed() ? &inner.back() != &require(inner, "right")
                                       : inner.back().kind() == ",")
                failSyntax(part);
            isAsync = isAsync || holds(inner, "async");
        } else if (part.kind() == "if_clause") {
            function.clauses.back().conditions.push_back(operand(children(part).at(1)));
        }
    }
    const SyntaxNode& element = require(parts, "body");
    if (kind == Kinds::Dict) {
        const Nodes pair = children(element);
        function.element.push_back(expression(require(pair, "key")));
        function.element.push_back(expression(require(pair, "value")));
    } else {
        if (text(element).starts_with('*'))
            fail(element, "iterable unpacking cannot be used in comprehension");
        function.element.push_back(namedExpression(element));
    }
    if (isAsync || m_scopes.back().hasAwait) {
        if (!isOuterAsync && kind != Kinds::Generator)
            fail(node, "asynchronous comprehension outside of an asynchronous function");
        out.kind = Kind::Unsupported;
        out.text = "async for";
    }
    return out;
}

} // namespace fx
