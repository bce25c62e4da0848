// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions but strings (build_text.cpp) and what has a scope of its own (build_functions.cpp).
#include "core/base/text.h"
#include "core/python/literals.h"
#include "core/python/tree_builder.h"

#include <algorithm>
#include <array>
#include <set>

namespace fx {

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
            checkStar(out.children.back());
        }
    return out;
}

void TreeBuilder::checkStar(const Expression& e) const {
    if (e.kind != Kind::Starred && e.kind != Kind::DoubleStarred)
        return;
    const Expression& inner = e.children[0];
    const bool isLoose = inner.kind == Kind::Compare || inner.kind == Kind::Not || inner.kind == Kind::And ||
                         inner.kind == Kind::Or || inner.kind == Kind::Conditional ||
                         inner.kind == Kind::Lambda;
    // In parentheses it begins behind them.
    const size_t next = m_file.text.find_first_not_of("* \t\n\\", e.begin);
    if (isLoose && next == inner.begin)
        fail(inner.begin, "invalid syntax");
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
        if (child.isNamed()) {
            out.children.push_back(item(child));
            checkStar(out.children.back());
        }
    return out;
}

Expression TreeBuilder::tuple(const SyntaxNode& node) {
    Expression out = sequence(node, Kind::Tuple);
    if (out.children.size() == 1 && out.children[0].kind == Kind::Starred && !holds(children(node), ","))
        fail(node, "cannot use starred expression here");
    return out;
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
    const Nodes parts = children(node);
    if (parts.size() == 3 && parts[1].kind() == ",")
        failSyntax(parts[1]);
    for (const SyntaxNode& child : parts) {
        if (!child.isNamed())
            continue;
        if (child.kind() == "dictionary_splat") {
            Expression star = build(child);
            checkStar(star);
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
    if (list.kind() == "generator_expression") {
        // "f(x for x in a, b)" is read as Python 2 did.
        for (const SyntaxNode& clause : children(list))
            if (clause.kind() == "for_in_clause" && holds(children(clause), ","))
                fail(list, "Generator expression must be parenthesized");
        out.children.push_back(build(list));
    } else {
        arguments(list, out.children);
    }
    liftStar(out);
    return out;
}

void TreeBuilder::arguments(const SyntaxNode& list, std::vector<Expression>& out) {
    const Nodes parts = children(list);
    const size_t first = out.size();
    if (parts.size() == 3 && parts[1].kind() == ",")
        failSyntax(parts[1]);
    out.reserve(first + parts.size() / 2);
    bool hasKeyword = false, hasMapping = false;
    std::set<std::string> names;
    for (const SyntaxNode& child : parts) {
        if (!child.isNamed())
            continue;
        Expression argument = item(child);
        if (argument.kind == Kind::DoubleStarred) {
            hasMapping = true;
        } else if (argument.kind == Kind::Keyword) {
            hasKeyword = true;
            if (!names.insert(argument.text).second)
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

} // namespace fx
