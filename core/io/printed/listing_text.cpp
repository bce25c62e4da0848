// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/printed/listing_text.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/printed/annotations.h"
#include "core/ir/torch_constants.h"
#include "core/python/parse_expression.h"
#include "core/rewrite/argument_reader.h"
#include "core/torch/bind/operators.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace fx {

namespace {

constexpr int kDeepestList = 100; ///< levels of lists within lists
constexpr const char* kListingAdvice = "a graph's listing has one node in each line, as str(graph) writes it";

bool isAllOf(std::string_view text, std::string_view characters) {
    return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

class ListingReader {
public:
    ListingReader(const std::string& text, const std::string& path)
        : m_path(path), m_reader([this](const Expression& e) { return resolve(e); },
                                 [this](const Expression&, const std::string& message) { fail(message); }) {
        bool isInside = false;
        for (std::string_view line : split(text, '\n')) {
            ++m_line;
            m_text = line;
            const std::string_view content = trim(line);
            m_rest = content;
            if (content.empty())
                continue;
            if (!std::exchange(isInside, true)) // "graph():"
                continue;
            if (content == "return" || content.starts_with("return "))
                output();
            else
                node();
        }
    }

    std::vector<PrintedNode> take() { return std::move(m_nodes); }

private:
    [[noreturn]] void fail(const std::string& message) const {
        const size_t column = m_rest.empty() ? m_text.size() : size_t(m_rest.data() - m_text.data());
        throw Error(m_path + ':' + std::to_string(m_line) + ':' + std::to_string(column + 1), message)
            .hint(kListingAdvice);
    }
    bool accept(std::string_view what) {
        if (!m_rest.starts_with(what))
            return false;
        m_rest.remove_prefix(what.size());
        return true;
    }
    void expect(std::string_view what) {
        if (!accept(what))
            fail("there should be '" + std::string(what) + '\'');
    }
    std::string_view takeUntil(std::string_view what) {
        const size_t at = m_rest.find(what);
        if (at == std::string_view::npos)
            fail("there should be '" + std::string(what) + "' behind this");
        const std::string_view out = m_rest.substr(0, at);
        m_rest.remove_prefix(at + what.size());
        return out;
    }

    Argument nodeNamed(const std::string& name) const {
        const auto found = m_variables.find(name);
        if (found == m_variables.end())
            fail("'" + name + "' is no node of this graph");
        return found->second;
    }

    // --- Lines

    void node() {
        PrintedNode node;
        expect("%");
        node.name = takeUntil(" : ");
        if (node.name.empty() || node.name.find_first_of(" ()[]{},%") != std::string::npos)
            fail("'" + node.name + "' is no name of a node");
        const size_t users = m_rest.find("users=");
        const size_t open = users == std::string_view::npos ? users : m_rest.rfind('[', users);
        if (open == std::string_view::npos)
            fail("there should be '[num_users='");
        describe(node, trim(m_rest.substr(0, open)));
        m_rest.remove_prefix(users);
        takeUntil("] = ");
        const std::string word(takeUntil("[target="));
        const std::optional<Opcode> opcode = opcodeFromName(word);
        if (!opcode || *opcode == Opcode::Output)
            fail("'" + word + "' is none of a node's opcodes");
        node.opcode = *opcode;
        if (node.opcode == Opcode::Placeholder || node.opcode == Opcode::GetAttr) {
            // A target has no brackets.
            node.target = std::string(takeUntil("]"));
            if (accept("(default=")) {
                if (!m_rest.ends_with(')'))
                    fail("there should be ')' at the end");
                m_rest.remove_suffix(1);
                node.args.push_back(atom(std::exchange(m_rest, {})));
            }
        } else {
            std::string target(takeUntil("](args = "));
            if (node.opcode == Opcode::CallFunction && target.starts_with("builtins."))
                target.erase(0, 9);
            node.target = target;
            const Argument args = value(0);
            const Arguments* items = args.items();
            if (!items)
                fail("the arguments should be a tuple");
            node.args = *items;
            expect(", kwargs = ");
            const Argument keywords = value(0);
            const auto* dict = keywords.as<DictValue>();
            if (!dict)
                fail("the keywords should be a dict");
            for (const auto& [key, item] : dict->items)
                if (const auto* text = key.as<std::string>())
                    node.kwargs.emplace_back(*text, item);
            expect(")");
        }
        if (!trim(m_rest).empty())
            fail("nothing should stand here");
        m_variables[node.name] = NodeId{static_cast<int32_t>(m_nodes.size())};
        m_nodes.push_back(std::move(node));
    }

    /// "torch.Tensor", or 'Tensor "f32[2][1]cpu"' of a listing with shapes.
    static void describe(PrintedNode& node, std::string_view type) {
        if (type.empty())
            return;
        constexpr std::string_view kTensor = "Tensor \"";
        if (type.starts_with(kTensor) && type.ends_with('"'))
            if (auto value = annotatedValue(type.substr(kTensor.size(), type.size() - kTensor.size() - 1))) {
                node.meta.set(meta::kValue, std::move(*value));
                return;
            }
        node.type = std::string(type);
    }

    void output() {
        expect("return");
        const std::string_view text = trim(m_rest);
        PrintedNode node;
        node.opcode = Opcode::Output;
        node.target = "output";
        node.name = "output";
        if (!text.empty())
            node.args.push_back(expression(text));
        m_nodes.push_back(std::move(node));
    }

    // --- Values

    /// Items up to `close`; after each ", " comes the next, and before the end of a tuple of one ','.
    template <class Item>
    void items(char close, const Item& item) {
        while (!accept(std::string_view(&close, 1))) {
            if (m_rest.empty())
                fail(std::string("there should be '") + close + '\'');
            item();
            if (!accept(", ") && !accept(",") && !m_rest.starts_with(close))
                fail(std::string("there should be ', ' or '") + close + '\'');
        }
    }

    Argument value(int depth) {
        if (depth > kDeepestList)
            fail("is nested too deeply");
        const auto nested = [&](char close) {
            Arguments out;
            items(close, [&] { out.push_back(value(depth + 1)); });
            return out;
        };
        if (accept("("))
            return TupleValue{nested(')')};
        if (accept("["))
            return ListValue{nested(']')};
        if (accept("{")) {
            DictValue out;
            items('}', [&] {
                std::string key(takeUntil(": "));
                out.items.emplace_back(Argument(std::move(key)), value(depth + 1));
            });
            return out;
        }
        return atom(takeAtom());
    }

    /// What ends at the next ", " or bracket that it has not opened.
    std::string_view takeAtom() {
        int depth = 0;
        size_t at = 0;
        for (; at < m_rest.size(); ++at) {
            const char c = m_rest[at];
            if (depth == 0 && (c == ')' || c == ']' || c == '}' || m_rest.substr(at).starts_with(", ") ||
                               m_rest.substr(at).starts_with(",)")))
                break;
            depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
        }
        const std::string_view out = m_rest.substr(0, at);
        m_rest.remove_prefix(at);
        return out;
    }

    Argument atom(std::string_view text) {
        if (text.starts_with('%') && text.size() > 1)
            return nodeNamed(std::string(text.substr(1)));
        if (const std::optional<Argument> known = constant(text))
            return *known;
        if (text.starts_with("slice(") || text.starts_with("range(") || text.starts_with("device(") ||
            text.starts_with('{') || text.starts_with('[') || (text.starts_with('(') && text.ends_with(')')))
            return expression(text);
        return std::string(text);
    }

    /// What Python's str() of a value other than a string is.
    static std::optional<Argument> constant(std::string_view text) {
        if (text == "None")
            return NoneValue();
        if (text == "True" || text == "False")
            return text == "True";
        if (text == "Ellipsis")
            return EllipsisValue();
        if (text == "inf" || text == "-inf" || text == "nan")
            return text == "nan" ? std::nan("") : text == "inf" ? HUGE_VAL : -HUGE_VAL;
        const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
        if (isAllOf(digits, "0123456789.e+-") && digits[0] >= '0' && digits[0] <= '9')
            return number(text);
        if (text.starts_with("torch."))
            return torchConstant(text);
        // "cpu" of a device, which a string would be written as, too.
        for (std::string_view device : {"cpu", "cuda", "meta", "mps", "xpu", "hpu"})
            if (text == device || (text.starts_with(device) && text.substr(device.size()).starts_with(':') &&
                                   isAllOf(text.substr(device.size() + 1), "0123456789") && text.size() < 9))
                return c10::Device(std::string(text));
        if (std::count(text.begin(), text.end(), '.') == 2)
            if (const Target target("torch.ops." + std::string(text)); findOperator(target))
                return FunctionValue{target};
        return std::nullopt;
    }

    static std::optional<Argument> number(std::string_view text) {
        const bool isNegative = text.starts_with('-');
        try {
            const Argument value =
                constantArgument(parseExpression(isNegative ? text.substr(1) : text, "number"));
            if (const auto* whole = value.as<int64_t>())
                return isNegative ? -*whole : *whole;
            if (const auto* real = value.as<double>())
                return isNegative ? -*real : *real;
        } catch (const Error&) {
        }
        return std::nullopt;
    }

    Argument expression(std::string_view text) {
        const std::string place = m_path + ':' + std::to_string(m_line);
        Expression e;
        try {
            e = parseExpression(text, place);
        } catch (const Error& error) {
            fail("'" + std::string(text.substr(0, 80)) + "' cannot be read: " + error.message());
        }
        m_source = text;
        return m_reader.read(e);
    }

    std::optional<Argument> resolve(const Expression& e) {
        using Kind = Expression::Kind;
        if (e.kind == Kind::Name)
            if (const auto found = m_variables.find(e.text); found != m_variables.end())
                return Argument(found->second);
        if (e.kind == Kind::Constant)
            try {
                return constantArgument(e);
            } catch (const Error&) {
                return Argument(OpaqueValue{std::string(m_source.substr(e.begin, e.end - e.begin))});
            }
        return std::nullopt;
    }

    const std::string& m_path;
    int m_line = 0;
    std::string_view m_text, m_rest; ///< the line, and what of it is not read yet
    std::string_view m_source;       ///< of the expression that is read
    std::unordered_map<std::string, NodeId> m_variables;
    std::vector<PrintedNode> m_nodes;
    ArgumentReader m_reader;
};

} // namespace

PrintedGraph readPrintedListing(const std::string& text, const std::string& path) {
    return {"GraphModule", ListingReader(text, path).take(), {}};
}

} // namespace fx
