// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rewrite/argument_reader.h"

#include "core/base/error.h"
#include "core/ir/torch_constants.h"
#include "core/python/parse_expression.h"

#include <cmath>

namespace fx {

namespace {

using Kind = Expression::Kind;

} // namespace

std::string dottedName(const Expression& e) {
    if (e.kind == Kind::Name)
        return e.text;
    if (e.kind != Kind::Attribute)
        return {};
    const std::string owner = dottedName(e.children[0]);
    return owner.empty() ? owner : owner + '.' + e.text;
}

std::optional<std::string> pathBelowSelf(const Expression& e) {
    if (e.kind == Kind::Name)
        return e.text == "self" ? std::optional(std::string()) : std::nullopt;
    std::optional<std::string> owner;
    std::string name;
    if (e.kind == Kind::Attribute) {
        owner = pathBelowSelf(e.children[0]);
        name = e.text;
    } else if (e.kind == Kind::Call && e.children.size() == 3 && dottedName(e.children[0]) == "getattr" &&
               e.children[2].kind == Kind::Constant && e.children[2].constant.isString()) {
        owner = pathBelowSelf(e.children[1]);
        name = e.children[2].constant.text();
    }
    if (!owner)
        return std::nullopt;
    return owner->empty() ? name : *owner + '.' + name;
}

void ArgumentReader::fail(const Expression& e, const std::string& message) const {
    m_fail(e, message);
    throw Error("", message);
}

Argument ArgumentReader::read(const Expression& e) const {
    if (std::optional<Argument> known = m_resolve(e))
        return std::move(*known);
    switch (e.kind) {
    case Kind::Constant:
        return constantArgument(e);
    case Kind::Name:
        if (e.text == "inf" || e.text == "nan")
            return e.text == "inf" ? HUGE_VAL : std::nan("");
        if (e.text == "Ellipsis")
            return EllipsisValue();
        fail(e, "is no node of this graph");
    case Kind::Attribute:
        return attribute(e);
    case Kind::List:
        return ListValue{readAll(e.children, 0)};
    case Kind::Tuple:
        return TupleValue{readAll(e.children, 0)};
    case Kind::Slice:
        return SliceValue{readAll(e.children, 0)};
    case Kind::Dict: {
        DictValue dict;
        for (size_t i = 0; i + 1 < e.children.size(); i += 2)
            dict.items.emplace_back(read(e.children[i]), read(e.children[i + 1]));
        return dict;
    }
    case Kind::Unary:
        return negated(e);
    case Kind::Call:
        return call(e);
    default:
        fail(e, "cannot be an argument");
    }
}

Arguments ArgumentReader::readAll(const std::vector<Expression>& parts, size_t first) const {
    Arguments out;
    for (size_t i = first; i < parts.size(); ++i)
        out.push_back(read(parts[i]));
    return out;
}

Argument ArgumentReader::attribute(const Expression& e) const {
    const std::string full = dottedName(e);
    if (!full.starts_with("torch."))
        fail(e, "cannot be an argument");
    const std::string path = full.substr(6);
    if (auto constant = torchConstant(path))
        return std::move(*constant);
    if (path == "inf")
        return HUGE_VAL;
    return FunctionValue{full};
}

Argument ArgumentReader::negated(const Expression& e) const {
    const Argument value = read(e.children[0]);
    if (e.op == Operator::Pos && (value.as<int64_t>() || value.as<double>()))
        return value;
    if (e.op == Operator::Neg && value.as<int64_t>())
        return -*value.as<int64_t>();
    if (e.op == Operator::Neg && value.as<double>())
        return -*value.as<double>();
    fail(e, "cannot be an argument");
}

/// slice(a, b, c), range(a, b), device('cuda', 0).
Argument ArgumentReader::call(const Expression& e) const {
    const std::string callee = dottedName(e.children[0]);
    Arguments args;
    for (size_t i = 1; i < e.children.size(); ++i) {
        const Expression& argument = e.children[i];
        args.push_back(read(argument.kind == Kind::Keyword ? argument.children[0] : argument));
    }
    if ((callee == "device" || callee == "torch.device") && !args.empty() && args[0].as<std::string>()) {
        std::string text = *args[0].as<std::string>();
        if (args.size() > 1 && args[1].as<int64_t>())
            text += ':' + std::to_string(*args[1].as<int64_t>());
        try {
            return c10::Device(text);
        } catch (const std::exception&) {
            fail(e, "is no device");
        }
    }
    if (callee == "slice" && !args.empty() && args.size() <= 3) {
        if (args.size() == 1)
            args.insert(args.begin(), Argument());
        args.resize(3);
        return SliceValue{std::move(args)};
    }
    if (callee == "range" && !args.empty() && args.size() <= 3) {
        std::vector<int64_t> bounds;
        for (const Argument& bound : args)
            if (const auto* number = bound.as<int64_t>())
                bounds.push_back(*number);
        if (bounds.size() == args.size()) {
            if (bounds.size() == 1)
                bounds.insert(bounds.begin(), 0);
            return RangeValue{bounds[0], bounds[1], bounds.size() > 2 ? bounds[2] : 1};
        }
    }
    fail(e, "cannot be an argument: only values and nodes can");
}

} // namespace fx
