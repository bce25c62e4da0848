// SPDX-License-Identifier: GPL-3.0-or-later
// What may be assigned to and deleted, and how Python's messages call what may not.
#include "core/python/tree_builder.h"

namespace fx {

std::string_view describeKind(const Expression& e) {
    using Kind = Expression::Kind;
    switch (e.kind) {
    case Kind::Name:
        return "name";
    case Kind::Constant:
        if (e.constant.isNone())
            return "None";
        if (e.constant.isBool())
            return e.constant.data().toBool() ? "True" : "False";
        return e.constant.as<Argument>() ? "ellipsis" : "literal";
    case Kind::Tuple:
        return "tuple";
    case Kind::List:
        return "list";
    case Kind::Set:
        return "set display";
    case Kind::Dict:
        return "dict literal";
    case Kind::Attribute:
        return "attribute";
    case Kind::Subscript:
        return "subscript";
    case Kind::Call:
        return "function call";
    case Kind::Starred:
        return "starred";
    case Kind::Compare:
        return "comparison";
    case Kind::Conditional:
        return "conditional expression";
    case Kind::NamedValue:
        return "named expression";
    case Kind::Lambda:
        return "lambda";
    case Kind::FormattedText:
        return "f-string expression";
    case Kind::Yield:
    case Kind::YieldFrom:
        return "yield expression";
    case Kind::Unsupported:
        return "await expression";
    case Kind::Comprehension:
        switch (e.function->kind) {
        case FunctionTree::Kind::List:
            return "list comprehension";
        case FunctionTree::Kind::Set:
            return "set comprehension";
        case FunctionTree::Kind::Dict:
            return "dict comprehension";
        default:
            return "generator expression";
        }
    default:
        return "expression";
    }
}

Expression TreeBuilder::target(const SyntaxNode& node) {
    Expression out = build(node);
    if (out.kind == Kind::Starred)
        fail(node, "starred assignment target must be in a list or tuple");
    checkTarget(out);
    return out;
}

void TreeBuilder::checkTarget(const Expression& e) const {
    switch (e.kind) {
    case Kind::Name:
        if (e.text == "__debug__")
            fail(e.begin, "cannot assign to __debug__");
        return;
    case Kind::Attribute:
    case Kind::Subscript:
        return;
    case Kind::Tuple:
    case Kind::List: {
        size_t stars = 0;
        for (const Expression& child : e.children) {
            if (child.kind == Kind::Starred && ++stars > 1)
                fail(e.begin, "multiple starred expressions in assignment");
            checkTarget(child.kind == Kind::Starred ? child.children[0] : child);
        }
        return;
    }
    default:
        fail(e.begin, "cannot assign to " + std::string(describeKind(e)));
    }
}

void TreeBuilder::checkDeletable(const Expression& e) const {
    if (e.kind == Kind::Tuple || e.kind == Kind::List) {
        for (const Expression& child : e.children)
            checkDeletable(child);
        return;
    }
    if (e.kind == Kind::Name && e.text == "__debug__")
        fail(e.begin, "cannot delete __debug__");
    if (e.kind != Kind::Name && e.kind != Kind::Attribute && e.kind != Kind::Subscript)
        fail(e.begin, "cannot delete " + std::string(describeKind(e)));
}

} // namespace fx
