// SPDX-License-Identifier: GPL-3.0-or-later
// What may be assigned to and deleted, and how Python's messages call what may not.
#include "core/python/syntax/expression_parser.h"

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

const Expression* invalidTarget(const Expression& e) {
    using Kind = Expression::Kind;
    if (e.kind == Kind::Tuple || e.kind == Kind::List || e.kind == Kind::Starred) {
        for (const Expression& child : e.children)
            if (const Expression* part = invalidTarget(child))
                return part;
        return nullptr;
    }
    const bool isValid = e.kind == Kind::Name || e.kind == Kind::Attribute || e.kind == Kind::Subscript;
    return isValid ? nullptr : &e;
}

Expression ExpressionParser::target() {
    Expression out = looseTarget();
    requireTarget(out);
    return out;
}

Expression ExpressionParser::loopTarget() {
    const uint32_t begin = here();
    Expression out = looseTarget();
    if (is(","))
        commaSeparated(out, begin, &ExpressionParser::looseTarget);
    requireTarget(out);
    return out;
}

Expression ExpressionParser::looseTarget() {
    return is("*") ? starred(Kind::Starred, false) : operation(kBitOr);
}

void ExpressionParser::requireTarget(const Expression& e) {
    if (const Expression* part = invalidTarget(e))
        fail(part->begin, "cannot assign to " + std::string(describeKind(*part)));
    checkTarget(e);
}

void ExpressionParser::checkTarget(const Expression& e) {
    if (e.kind == Kind::Starred)
        return later(e.begin, "starred assignment target must be in a list or tuple");
    if (e.kind == Kind::Name && e.text == "__debug__")
        return later(e.begin, "cannot assign to __debug__");
    if (e.kind != Kind::Tuple && e.kind != Kind::List)
        return;
    size_t stars = 0;
    for (const Expression& child : e.children) {
        if (child.kind == Kind::Starred && ++stars > 1)
            later(e.begin, "multiple starred expressions in assignment");
        checkTarget(child.kind == Kind::Starred ? child.children[0] : child);
    }
}

} // namespace fx
