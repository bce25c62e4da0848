// SPDX-License-Identifier: GPL-3.0-or-later
// Turns tree-sitter's nodes into Expressions; what the evaluator does not know is refused here, at its place.
#include "core/python/syntax.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/python/literals.h"

#include <tree_sitter/api.h>

#include <algorithm>
#include <memory>

extern "C" const TSLanguage* tree_sitter_python(void);

namespace fx {

void failAt(std::string_view source, const std::string& place, size_t begin, const std::string& message,
            const std::string& advice) {
    begin = std::min(begin, source.size());
    const size_t newline = source.substr(0, begin).rfind('\n');
    const size_t lineStart = newline == std::string_view::npos ? 0 : newline + 1;
    const std::string_view line = source.substr(lineStart, source.find('\n', begin) - lineStart);
    const auto number =
        1 + std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(begin), '\n');
    const size_t column = begin - lineStart;
    Error error(place + ':' + std::to_string(number) + ':' + std::to_string(column + 1),
                message + "\n    " + std::string(line) + "\n    " + std::string(column, ' ') + '^');
    throw advice.empty() ? std::move(error) : std::move(error).hint(advice);
}

namespace {

using Kind = Expression::Kind;

class Builder {
public:
    Builder(std::string_view source, const std::string& place) : m_source(source), m_place(place) {}

    Expression module(TSNode root) {
        if (ts_node_has_error(root))
            failAt(m_source, m_place, faultPosition(root), "invalid syntax");
        if (ts_node_named_child_count(root) != 1)
            fail(root, "one expression is expected here");
        const TSNode statement = ts_node_named_child(root, 0);
        if (type(statement) != "expression_statement")
            fail(statement, "an expression is expected here, not a statement");
        // "a, b" is a statement of several expressions: a tuple without parentheses.
        if (ts_node_child_count(statement) == 1)
            return build(ts_node_child(statement, 0));
        return sequence(statement, Kind::Tuple);
    }

private:
    static std::string_view type(TSNode node) { return ts_node_type(node); }

    std::string_view text(TSNode node) const {
        const size_t begin = ts_node_start_byte(node);
        return m_source.substr(begin, ts_node_end_byte(node) - begin);
    }

    [[noreturn]] void fail(TSNode node, const std::string& message) const {
        failAt(m_source, m_place, ts_node_start_byte(node), message);
    }

    static TSNode field(TSNode node, std::string_view name) {
        return ts_node_child_by_field_name(node, name.data(), static_cast<uint32_t>(name.size()));
    }

    size_t faultPosition(TSNode node) const {
        if (ts_node_is_error(node) || ts_node_is_missing(node))
            return ts_node_start_byte(node);
        for (uint32_t i = 0; i < ts_node_child_count(node); ++i)
            if (const TSNode child = ts_node_child(node, i);
                ts_node_has_error(child) || ts_node_is_missing(child))
                return faultPosition(child);
        return ts_node_start_byte(node);
    }

    Expression make(Kind kind, TSNode node) const {
        Expression out;
        out.kind = kind;
        out.begin = ts_node_start_byte(node);
        out.end = ts_node_end_byte(node);
        return out;
    }

    Expression constant(TSNode node, Argument value) const {
        Expression out = make(Kind::Constant, node);
        out.constant = std::move(value);
        return out;
    }

    Expression sequence(TSNode node, Kind kind) {
        Expression out = make(kind, node);
        for (uint32_t i = 0; i < ts_node_named_child_count(node); ++i)
            if (const TSNode child = ts_node_named_child(node, i); type(child) != "comment")
                out.children.push_back(build(child));
        return out;
    }

    Expression pair(TSNode node, Kind kind, std::string_view left, std::string_view right) {
        Expression out = make(kind, node);
        out.children.push_back(build(field(node, left)));
        out.children.push_back(build(field(node, right)));
        return out;
    }

    Expression dictionary(TSNode node) {
        Expression out = make(Kind::Dict, node);
        for (uint32_t i = 0; i < ts_node_named_child_count(node); ++i) {
            const TSNode child = ts_node_named_child(node, i);
            if (type(child) != "pair")
                fail(child, "not supported in a dict");
            out.children.push_back(build(field(child, "key")));
            out.children.push_back(build(field(child, "value")));
        }
        return out;
    }

    Expression string(TSNode node) {
        const std::string_view start = text(ts_node_child(node, 0));
        const std::string prefix(start.substr(0, start.find_first_of("'\"")));
        const bool isRaw = prefix.find_first_of("rR") != std::string::npos;
        if (prefix.find_first_of("fFbB") != std::string::npos)
            fail(node, "not supported: " + prefix + "-strings");
        std::string value;
        for (uint32_t i = 0; i < ts_node_named_child_count(node); ++i)
            if (const TSNode child = ts_node_named_child(node, i); type(child) == "string_content")
                value += isRaw ? std::string(text(child)) : unescaped(text(child));
        return constant(node, std::move(value));
    }

    Expression call(TSNode node) {
        Expression out = make(Kind::Call, node);
        out.children.push_back(build(field(node, "function")));
        const TSNode arguments = field(node, "arguments");
        if (type(arguments) != "argument_list")
            fail(arguments, "not supported: generator expressions");
        Expression list = sequence(arguments, Kind::Tuple);
        for (Expression& argument : list.children)
            out.children.push_back(std::move(argument));
        return out;
    }

    Expression subscript(TSNode node) {
        Expression out = make(Kind::Subscript, node);
        out.children.push_back(build(field(node, "value")));
        // All that stands between the brackets; a comma makes it a tuple even for one item.
        Expression index = make(Kind::Tuple, node);
        bool hasComma = false;
        bool isInside = false;
        for (uint32_t i = 0; i < ts_node_child_count(node); ++i) {
            const TSNode child = ts_node_child(node, i);
            if (type(child) == "[")
                isInside = true;
            else if (type(child) == ",")
                hasComma = true;
            else if (isInside && ts_node_is_named(child))
                index.children.push_back(build(child));
        }
        if (index.children.size() == 1 && !hasComma)
            index = Expression(std::move(index.children[0]));
        out.children.push_back(std::move(index));
        return out;
    }

    Expression slice(TSNode node) {
        Expression out = make(Kind::Slice, node);
        out.children.assign(3, Expression());
        size_t part = 0;
        for (uint32_t i = 0; i < ts_node_child_count(node); ++i) {
            const TSNode child = ts_node_child(node, i);
            if (type(child) == ":")
                ++part;
            else
                out.children[std::min<size_t>(part, 2)] = build(child);
        }
        return out;
    }

    Expression comparison(TSNode node) {
        Expression out = make(Kind::Compare, node);
        std::string pending;
        for (uint32_t i = 0; i < ts_node_child_count(node); ++i) {
            const TSNode child = ts_node_child(node, i);
            if (ts_node_is_named(child)) {
                if (!pending.empty())
                    out.operators.push_back(pending);
                pending.clear();
                out.children.push_back(build(child));
            } else {
                pending += (pending.empty() ? "" : " ") + std::string(text(child));
            }
        }
        return out;
    }

    Expression build(TSNode node) {
        // Bounds the recursion, here and in everybody who walks the tree.
        constexpr int kDeepest = 200;
        struct Level {
            int& depth;
            explicit Level(int& d) : depth(d) { ++depth; }
            ~Level() { --depth; }
        } level(m_depth);
        if (m_depth > kDeepest)
            fail(node, "too deeply nested");

        const std::string_view kind = type(node);
        if (kind == "identifier") {
            Expression out = make(Kind::Name, node);
            out.text = text(node);
            return out;
        }
        if (kind == "integer" || kind == "float") {
            const std::optional<Argument> value = numberLiteral(text(node));
            if (!value)
                fail(node, "not supported: an int of more than 64 bits");
            return constant(node, *value);
        }
        if (kind == "string")
            return string(node);
        if (kind == "concatenated_string") {
            std::string value;
            for (uint32_t i = 0; i < ts_node_named_child_count(node); ++i)
                value += *string(ts_node_named_child(node, i)).constant.as<std::string>();
            return constant(node, std::move(value));
        }
        if (kind == "true" || kind == "false")
            return constant(node, kind == "true");
        if (kind == "none")
            return constant(node, NoneValue());
        if (kind == "ellipsis")
            return constant(node, EllipsisValue());
        if (kind == "parenthesized_expression")
            return build(ts_node_named_child(node, 0));
        if (kind == "tuple")
            return sequence(node, Kind::Tuple);
        if (kind == "list")
            return sequence(node, Kind::List);
        if (kind == "dictionary")
            return dictionary(node);
        if (kind == "attribute") {
            Expression out = make(Kind::Attribute, node);
            out.children.push_back(build(field(node, "object")));
            out.text = text(field(node, "attribute"));
            return out;
        }
        if (kind == "subscript")
            return subscript(node);
        if (kind == "slice")
            return slice(node);
        if (kind == "call")
            return call(node);
        if (kind == "keyword_argument") {
            Expression out = make(Kind::Keyword, node);
            out.text = text(field(node, "name"));
            out.children.push_back(build(field(node, "value")));
            return out;
        }
        if (kind == "list_splat")
            return sequence(node, Kind::Starred);
        if (kind == "dictionary_splat")
            return sequence(node, Kind::DoubleStarred);
        if (kind == "unary_operator") {
            Expression out = sequence(node, Kind::Unary);
            out.text = text(field(node, "operator"));
            return out;
        }
        if (kind == "binary_operator") {
            Expression out = pair(node, Kind::Binary, "left", "right");
            out.text = text(field(node, "operator"));
            return out;
        }
        if (kind == "boolean_operator")
            return pair(node, type(field(node, "operator")) == "and" ? Kind::And : Kind::Or, "left", "right");
        if (kind == "not_operator")
            return sequence(node, Kind::Not);
        if (kind == "comparison_operator")
            return comparison(node);
        if (kind == "conditional_expression")
            return sequence(node, Kind::Conditional);
        fail(node, "not supported here: " + replaceAll(std::string(kind), "_", " "));
    }

    std::string_view m_source;
    const std::string& m_place;
    int m_depth = 0;
};

} // namespace

Expression parseExpression(std::string_view source, const std::string& place) {
    if (trim(source).empty())
        throw Error(place, "an expression is expected, but there is none");
    // Blanks before an expression would read as indentation.
    const std::string_view bare = trim(source);
    const std::unique_ptr<TSParser, decltype(&ts_parser_delete)> parser(ts_parser_new(), ts_parser_delete);
    ts_parser_set_language(parser.get(), tree_sitter_python());
    const std::unique_ptr<TSTree, decltype(&ts_tree_delete)> tree(
        ts_parser_parse_string(parser.get(), nullptr, bare.data(), static_cast<uint32_t>(bare.size())),
        ts_tree_delete);
    return Builder(bare, place).module(ts_tree_root_node(tree.get()));
}

} // namespace fx
