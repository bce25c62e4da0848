// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/evaluate.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <algorithm>

namespace fx {

namespace {

using Kind = Expression::Kind;

/// Python's operator signs and the functions of its module operator.
constexpr std::pair<std::string_view, std::string_view> kBinary[] = {
    {"+", "add"},  {"-", "sub"},    {"*", "mul"},         {"/", "truediv"}, {"//", "floordiv"}, {"%", "mod"},
    {"**", "pow"}, {"@", "matmul"}, {"<<", "lshift"},     {">>", "rshift"}, {"&", "and_"},      {"|", "or_"},
    {"^", "xor"},  {"<", "lt"},     {"<=", "le"},         {">", "gt"},      {">=", "ge"},       {"==", "eq"},
    {"!=", "ne"},  {"is", "is_"},   {"is not", "is_not"},
};

std::string_view functionOf(std::string_view sign) {
    for (const auto& [text, name] : kBinary)
        if (text == sign)
            return name;
    return {};
}

class Evaluation {
public:
    Evaluation(Host& host, std::string_view source, const std::string& place)
        : m_host(host), m_source(source), m_place(place) {}

    Value value(const Expression& e) {
        try {
            return compute(e);
        } catch (Error& error) {
            // The innermost expression is the place; whoever is outside passes the error on.
            if (!error.place().empty())
                throw;
            failAt(m_source, m_place, e.begin, error.message(), error.advice());
        }
    }

private:
    Values values(const std::vector<Expression>& list) {
        Values out;
        for (const Expression& e : list) {
            if (e.kind != Kind::Starred) {
                out.push_back(value(e));
                continue;
            }
            const std::optional<Values> items = itemsOf(value(e.children[0]));
            if (!items)
                throw Error("", "Value after * must be an iterable");
            out.insert(out.end(), items->begin(), items->end());
        }
        return out;
    }

    Value call(const Expression& e) {
        const Value function = value(e.children[0]);
        std::vector<Expression> positional;
        NamedValues kwargs;
        for (size_t i = 1; i < e.children.size(); ++i) {
            const Expression& argument = e.children[i];
            if (argument.kind == Kind::Keyword)
                kwargs.emplace_back(argument.text, value(argument.children[0]));
            else if (argument.kind == Kind::DoubleStarred)
                throw Error("", "not supported here: ** in a call");
            else
                positional.push_back(argument);
        }
        return m_host.call(function, values(positional), std::move(kwargs));
    }

    Value comparison(const Expression& e) {
        Value left = value(e.children[0]);
        Value result;
        for (size_t i = 0; i < e.operators.size(); ++i) {
            const Value right = value(e.children[i + 1]);
            const std::string& sign = e.operators[i];
            if (sign == "in" || sign == "not in") {
                result = m_host.operate("contains", {right, left});
                if (sign == "not in")
                    result = c10::IValue(!isTrue(result));
            } else {
                result = m_host.operate(functionOf(sign), {left, right});
            }
            if (i + 1 < e.operators.size() && !isTrue(result))
                return result;
            left = right;
        }
        return result;
    }

    Value compute(const Expression& e) {
        switch (e.kind) {
        case Kind::Name:
            return m_host.name(e.text);
        case Kind::Constant:
            return makeValue(e.constant, nullptr);
        case Kind::Tuple:
            return makeSequence(values(e.children), false);
        case Kind::List:
            return makeSequence(values(e.children), true);
        case Kind::Dict: {
            std::vector<std::pair<Value, Value>> items;
            for (size_t i = 0; i + 1 < e.children.size(); i += 2)
                items.emplace_back(value(e.children[i]), value(e.children[i + 1]));
            return makeDict(std::move(items));
        }
        case Kind::Attribute:
            return m_host.attribute(value(e.children[0]), e.text);
        case Kind::Subscript: {
            const Value object = value(e.children[0]);
            return m_host.subscript(object, value(e.children[1]));
        }
        case Kind::Slice:
            return Object{SliceObject{value(e.children[0]), value(e.children[1]), value(e.children[2])}};
        case Kind::Call:
            return call(e);
        case Kind::Unary:
            return m_host.operate(e.text == "-"   ? "neg"
                                  : e.text == "+" ? "pos"
                                                  : "invert",
                                  {value(e.children[0])});
        case Kind::Binary: {
            const Value left = value(e.children[0]);
            return m_host.operate(functionOf(e.text), {left, value(e.children[1])});
        }
        case Kind::Compare:
            return comparison(e);
        case Kind::And: {
            const Value left = value(e.children[0]);
            return isTrue(left) ? value(e.children[1]) : left;
        }
        case Kind::Or: {
            const Value left = value(e.children[0]);
            return isTrue(left) ? left : value(e.children[1]);
        }
        case Kind::Not:
            return c10::IValue(!isTrue(value(e.children[0])));
        case Kind::Conditional:
            return value(e.children[isTrue(value(e.children[1])) ? 0 : 2]);
        case Kind::Keyword:
        case Kind::Starred:
        case Kind::DoubleStarred:
            break;
        }
        throw Error("", "invalid syntax");
    }

    Host& m_host;
    std::string_view m_source;
    const std::string& m_place;
};

} // namespace

Value evaluate(const Expression& expression, Host& host, std::string_view source, const std::string& place) {
    return Evaluation(host, source, place).value(expression);
}

Value evaluate(std::string_view source, Host& host, const std::string& place) {
    return evaluate(parseExpression(source, place), host, trim(source), place);
}

} // namespace fx
