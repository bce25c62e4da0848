// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/pt2/symbolic_text.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ir/argument_text.h"
#include "core/python/parse_expression.h"

#include <array>

namespace fx {

namespace {

using Kind = Expression::Kind;

/// How tightly a piece of formula binds; a looser one inside a tighter one gets parentheses.
enum Binding { kCompare, kSum, kProduct, kPower, kAtom };

struct Piece {
    std::string text;
    Binding binding = kAtom;
};

std::string inside(const Piece& piece, Binding outer) {
    return piece.binding < outer ? '(' + piece.text + ')' : piece.text;
}

Piece write(const Expression& e);

std::vector<Piece> writeAll(const Expression& call) {
    std::vector<Piece> out;
    for (size_t i = 1; i < call.children.size(); ++i)
        if (call.children[i].kind != Kind::Keyword)
            out.push_back(write(call.children[i]));
    return out;
}

Piece infix(const std::vector<Piece>& parts, std::string_view sign, Binding binding) {
    std::vector<std::string> out;
    for (const Piece& part : parts)
        out.push_back(inside(part, binding));
    return {join(out, sign), binding};
}

Piece sum(const std::vector<Piece>& parts) {
    std::string out;
    for (const Piece& part : parts) {
        const bool isNegative = part.text.starts_with('-');
        if (!out.empty())
            out += isNegative ? " - " : " + ";
        out += isNegative && !out.empty() ? part.text.substr(1) : inside(part, kSum);
    }
    return {out, kSum};
}

Piece product(const std::vector<Piece>& parts) {
    if (parts.size() > 1 && parts[0].text == "-1")
        return {'-' + infix({parts.begin() + 1, parts.end()}, "*", kProduct).text, kProduct};
    return infix(parts, "*", kProduct);
}

Piece write(const Expression& e) {
    if (e.kind == Kind::Unary) {
        const std::string_view sign = e.op == Operator::Neg ? "-" : e.op == Operator::Pos ? "+" : "~";
        return {std::string(sign) + write(e.children[0]).text, kProduct};
    }
    if (e.kind == Kind::Constant)
        return {strText(constantArgument(e), [](NodeId) { return std::string(); })};
    if (e.kind == Kind::Name)
        return {e.text == "true" ? "True" : e.text == "false" ? "False" : e.text};
    if (e.kind == Kind::Attribute)
        return {e.text};
    if (e.kind != Kind::Call)
        throw Error("", "not a formula");
    const std::string name = write(e.children[0]).text;
    const std::vector<Piece> args = writeAll(e);
    if (args.size() == 1 && (name == "Symbol" || name == "Integer" || name == "Float" || name == "Identity"))
        return args[0];
    if (name == "Add")
        return sum(args);
    if (name == "Mul")
        return product(args);
    if (args.size() == 2) {
        if (name == "Rational" || name == "IntTrueDiv" || name == "FloatTrueDiv")
            return infix(args, "/", kProduct);
        if (name == "Pow" || name == "PowByNatural" || name == "FloatPow")
            return {inside(args[0], kAtom) + "**" + inside(args[1], kAtom), kPower};
        if (name == "FloorDiv" || name == "CleanDiv")
            return {'(' + inside(args[0], kPower) + "//" + inside(args[1], kPower) + ')'};
        if (name == "Mod" || name == "PythonMod")
            return {inside(args[0], kPower) + " % " + inside(args[1], kPower), kProduct};
        static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kRelations{{
            {"Equality", " == "},
            {"Unequality", " != "},
            {"StrictLessThan", " < "},
            {"LessThan", " <= "},
            {"StrictGreaterThan", " > "},
            {"GreaterThan", " >= "},
        }};
        for (const auto& [relation, sign] : kRelations)
            if (name == relation)
                return infix(args, sign, kCompare);
    }
    std::vector<std::string> parts;
    for (const Piece& arg : args)
        parts.push_back(arg.text);
    return {name + '(' + join(parts, ", ") + ')'};
}

} // namespace

const std::string& SymbolicText::formula(const std::string& srepr) {
    const auto [entry, isNew] = m_known.try_emplace(srepr);
    if (isNew) {
        try {
            entry->second = write(parseExpression(srepr, "formula")).text;
        } catch (const Error&) {
            entry->second = srepr;
        }
    }
    return entry->second;
}

} // namespace fx
