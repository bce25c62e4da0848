// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/argument_text_edit.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ir/argument_text.h"
#include "core/ir/dtype.h"
#include "core/python/parse_expression.h"

#include <cmath>

namespace fx {

namespace {

using Kind = Expression::Kind;

class Reader {
public:
    Reader(const std::string& text, const Graph& graph) : m_text(text), m_graph(graph) {}

    Argument read(const Expression& e) {
        switch (e.kind) {
        case Kind::Constant:
            return constantArgument(e);
        case Kind::Name:
            return name(e);
        case Kind::Attribute:
            return attribute(e);
        case Kind::List:
            return ListValue{readAll(e.children, 0)};
        case Kind::Tuple:
            return TupleValue{readAll(e.children, 0)};
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

private:
    [[noreturn]] void fail(const Expression& e, const std::string& message) {
        throw Error("", "'" + m_text.substr(e.begin, e.end - e.begin) + "' " + message);
    }

    Arguments readAll(const std::vector<Expression>& parts, size_t first) {
        Arguments out;
        for (size_t i = first; i < parts.size(); ++i)
            out.push_back(read(parts[i]));
        return out;
    }

    Argument name(const Expression& e) {
        if (const NodeId node = m_graph.find(e.text))
            return node;
        if (e.text == "inf" || e.text == "nan")
            return e.text == "inf" ? HUGE_VAL : std::nan("");
        fail(e, "is no node of this graph");
    }

    Argument attribute(const Expression& e) {
        std::string path = e.text;
        const Expression* at = &e.children[0];
        for (; at->kind == Kind::Attribute; at = &at->children[0])
            path = at->text + '.' + path;
        if (at->kind != Kind::Name || at->text != "torch")
            fail(e, "cannot be an argument");
        if (const auto dtype = dtypeFromName(path))
            return *dtype;
        if (const auto layout = layoutFromName(path))
            return *layout;
        if (const auto format = memoryFormatFromName(path))
            return *format;
        if (path == "inf")
            return HUGE_VAL;
        return FunctionValue{"torch." + path};
    }

    Argument negated(const Expression& e) {
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
    Argument call(const Expression& e) {
        const Expression& callee = e.children[0];
        const bool isDevice = callee.text == "device";
        Arguments args;
        for (size_t i = 1; i < e.children.size(); ++i) {
            const Expression& argument = e.children[i];
            args.push_back(read(argument.kind == Kind::Keyword ? argument.children[0] : argument));
        }
        if (isDevice && !args.empty() && args[0].as<std::string>()) {
            std::string text = *args[0].as<std::string>();
            if (args.size() > 1 && args[1].as<int64_t>())
                text += ':' + std::to_string(*args[1].as<int64_t>());
            try {
                return c10::Device(text);
            } catch (const std::exception&) {
                fail(e, "is no device");
            }
        }
        if (callee.kind == Kind::Name && callee.text == "slice" && !args.empty() && args.size() <= 3) {
            if (args.size() == 1)
                args.insert(args.begin(), Argument());
            args.resize(3);
            return SliceValue{std::move(args)};
        }
        fail(e, "cannot be an argument: only values and nodes can");
    }

    const std::string& m_text;
    const Graph& m_graph;
};

} // namespace

Argument parseArgument(const std::string& text, const Graph& graph) {
    const std::string bare(trim(text));
    return Reader(bare, graph).read(parseExpression(bare, "argument"));
}

std::string argumentText(const Argument& argument, const Graph& graph) {
    return reprText(argument, [&](NodeId node) { return graph.node(node).name; });
}

} // namespace fx
