// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/printed/code_calls.h"

#include "core/base/error.h"
#include "core/python/parse_expression.h"

#include <algorithm>
#include <complex>

namespace fx {

namespace {

using Kind = Expression::Kind;

constexpr const char* kCallAdvice =
    "a printed graph has one call in each statement, as print_readable() writes it";

/// Functions that torch does not have stand in the text as "math_sqrt".
Target writtenFunction(std::string name) {
    for (std::string_view library : {"_operator", "math"})
        if (name.starts_with(library) && name.size() > library.size() + 1 &&
            (name[library.size()] == '_' || name[library.size()] == '.')) {
            name[library.size()] = '.';
            return name.starts_with('_') ? name.substr(1) : name;
        }
    return name;
}

} // namespace

CallReader::CallReader(const SourceFile& file)
    : m_file(file), m_reader([this](const Expression& e) { return resolve(e); },
                             [this](const Expression& e, const std::string& message) {
                                 fail(e.begin, '\'' + textOf(e) + "' " + message);
                             }) {}

void CallReader::fail(uint32_t at, const std::string& message) const {
    failAt(m_file, at, message, kCallAdvice, "");
}

std::string CallReader::textOf(const Expression& e) const {
    return m_file.text.substr(e.begin, e.end - e.begin);
}

NodeId CallReader::indexOf(const std::string& name) const {
    const auto found = m_variables.find(name);
    return found == m_variables.end() ? NodeId() : found->second;
}

std::optional<std::string> CallReader::modulePath(const Expression& e) const {
    return m_variables.contains("self") || e.kind == Kind::Name ? std::nullopt : pathBelowSelf(e);
}

void CallReader::arguments(const Expression& call, PrintedNode& node) const {
    for (size_t i = 1; i < call.children.size(); ++i) {
        const Expression& argument = call.children[i];
        if (argument.kind == Kind::Keyword)
            node.kwargs.emplace_back(argument.text, read(argument.children[0]));
        else
            node.args.push_back(read(argument));
    }
}

PrintedNode CallReader::call(const Expression& e) const {
    PrintedNode node;
    const auto operation = [&](Operator op, const std::vector<Expression>& operands) {
        node.target = "operator." + std::string(operatorName(op));
        for (const Expression& operand : operands)
            node.args.push_back(read(operand));
    };
    if (const std::optional<std::string> path = modulePath(e)) {
        node.opcode = Opcode::GetAttr;
        node.target = *path;
        return node;
    }
    switch (e.kind) {
    case Kind::Call:
        callOf(e, node);
        return node;
    case Kind::Attribute:
        node.target = "getattr";
        node.args = {read(e.children[0]), Argument(e.text)};
        return node;
    case Kind::Subscript:
        node.target = "operator.getitem";
        node.args = {read(e.children[0]), read(e.children[1])};
        return node;
    case Kind::Binary:
        operation(e.op, e.children);
        return node;
    case Kind::Compare:
        if (e.operators.size() != 1)
            break;
        operation(e.operators[0], e.children);
        return node;
    case Kind::Unary:
        return unary(e);
    default:
        break;
    }
    fail(e.begin, "'" + textOf(e) + "' is no call: a graph computes values by calls");
}

PrintedNode CallReader::unary(const Expression& e) const {
    PrintedNode node;
    const Expression& operand = e.children[0];
    // torch.fx writes pow(-1, x) as -1 ** x.
    const bool isPower = e.op == Operator::Neg && operand.kind == Kind::Binary &&
                         operand.op == Operator::Pow && operand.children[0].kind == Kind::Constant;
    node.target = "operator." + std::string(operatorName(isPower ? Operator::Pow : e.op));
    for (const Expression& part : isPower ? operand.children : e.children)
        node.args.push_back(read(part));
    if (const auto* whole = isPower ? node.args[0].as<int64_t>() : nullptr)
        node.args[0] = -*whole;
    else if (const auto* real = isPower ? node.args[0].as<double>() : nullptr)
        node.args[0] = -*real;
    return node;
}

void CallReader::callOf(const Expression& e, PrintedNode& node) const {
    const Expression& callee = e.children[0];
    if (const std::optional<std::string> path = modulePath(callee)) {
        node.opcode = Opcode::CallModule;
        node.target = *path;
    } else if (isMethod(callee)) {
        node.opcode = Opcode::CallMethod;
        const bool isPlain = callee.kind == Kind::Attribute;
        node.target = isPlain ? callee.text : std::string(callee.children[2].constant.text());
        node.args.push_back(read(callee.children[isPlain ? 0 : 1]));
    } else if (const std::string name = dottedName(callee); !name.empty()) {
        node.target = writtenFunction(name);
    } else {
        fail(callee.begin, "'" + textOf(callee) + "' is nothing that a graph calls");
    }
    arguments(e, node);
}

/// `x.view`, and `getattr(x, "0")` for what is no name.
bool CallReader::isMethod(const Expression& callee) const {
    if (callee.kind == Kind::Attribute)
        return callee.children[0].kind != Kind::Attribute &&
               (callee.children[0].kind != Kind::Name || indexOf(callee.children[0].text));
    return callee.kind == Kind::Call && callee.children.size() == 3 &&
           dottedName(callee.children[0]) == "getattr" && callee.children[2].kind == Kind::Constant &&
           callee.children[2].constant.isString();
}

bool CallReader::readsNode(const Expression& e) const {
    return (e.kind == Kind::Name && indexOf(e.text)) ||
           std::any_of(e.children.begin(), e.children.end(),
                       [this](const Expression& part) { return readsNode(part); });
}

/// "(1+2j)".
std::optional<Argument> CallReader::complexOf(const Expression& e) const {
    if (e.kind != Kind::Binary || (e.op != Operator::Add && e.op != Operator::Sub) ||
        e.children[1].kind != Kind::Constant || readsNode(e))
        return std::nullopt;
    const Argument right = read(e.children[1]), left = read(e.children[0]);
    const auto* imaginary = right.as<std::complex<double>>();
    const auto* whole = left.as<int64_t>();
    const auto* real = left.as<double>();
    if (!imaginary || (!whole && !real))
        return std::nullopt;
    return std::complex<double>(real ? *real : static_cast<double>(*whole),
                                e.op == Operator::Add ? imaginary->imag() : -imaginary->imag());
}

/// What is no literal: nodes, and what torch prints of objects that it has no form for.
std::optional<Argument> CallReader::resolve(const Expression& e) const {
    if (e.kind == Kind::Name)
        return indexOf(e.text) ? std::optional<Argument>(indexOf(e.text)) : std::nullopt;
    if (e.kind == Kind::Constant)
        return literal(e);
    if (auto number = complexOf(e))
        return number;
    const std::string name = dottedName(e.kind == Kind::Call ? e.children[0] : e);
    const bool isLiteral = e.kind == Kind::Call ? name == "slice" || name == "range" || name == "device" ||
                                                      name == "torch.device"
                                                : e.kind != Kind::Attribute || name.starts_with("torch.");
    const bool isDisplay = e.kind == Kind::Tuple || e.kind == Kind::List || e.kind == Kind::Dict ||
                           e.kind == Kind::Slice || e.kind == Kind::Unary;
    if (isLiteral && (isDisplay || e.kind == Kind::Call || e.kind == Kind::Attribute))
        return std::nullopt;
    if (!readsNode(e))
        return Argument(OpaqueValue{textOf(e)});
    if (e.kind != Kind::Call || name.empty() ||
        (name.starts_with("torch.") && !name.starts_with("torch.return_types.")))
        fail(e.begin, "'" + textOf(e) + "' is a call within a call");
    NamedTupleValue out{name, {}};
    for (size_t i = 1; i < e.children.size(); ++i)
        out.items.push_back(read(e.children[i]));
    return Argument(std::move(out));
}

/// Texts and numbers that no Argument holds stay as they are written.
Argument CallReader::literal(const Expression& e) const {
    try {
        return constantArgument(e);
    } catch (const Error&) {
        return Argument(OpaqueValue{textOf(e)});
    }
}

} // namespace fx
