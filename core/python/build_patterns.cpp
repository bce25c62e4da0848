// SPDX-License-Identifier: GPL-3.0-or-later
// match statements and their patterns.
#include "core/base/text.h"
#include "core/python/tree_builder.h"

#include <algorithm>
#include <set>

namespace fx {

namespace {

/// The names that a pattern binds, and the first one that it binds twice. Alternatives have to bind the same.
class BoundNames {
public:
    std::string repeated;
    bool differ = false;

    std::set<std::string> of(const Pattern& pattern) {
        std::set<std::string> out;
        if (!pattern.target.empty())
            out.insert(pattern.target[0].text);
        for (size_t i = 0; i < pattern.parts.size(); ++i) {
            std::set<std::string> names = of(pattern.parts[i]);
            if (pattern.kind == Pattern::Kind::Or) {
                differ = differ || (i > 0 && names != out);
                out = std::move(names);
                continue;
            }
            for (const std::string& name : names)
                if (!out.insert(name).second && repeated.empty())
                    repeated = name;
        }
        return out;
    }
};

/// Matches everything: nothing after it is ever tried. The capture or wildcard that is the reason, or null.
const Pattern* irrefutable(const Pattern& pattern) {
    using Kind = Pattern::Kind;
    if (pattern.kind == Kind::Capture)
        return &pattern;
    if (pattern.kind == Kind::As || pattern.kind == Kind::Or)
        return irrefutable(pattern.parts.back());
    return nullptr;
}

std::string unreachableText(const Pattern& pattern) {
    return pattern.target.empty()
               ? "wildcard makes remaining patterns unreachable"
               : "name capture '" + pattern.target[0].text + "' makes remaining patterns unreachable";
}

} // namespace

void TreeBuilder::matchStatement(const SyntaxNode& node, Block& out) {
    Statement& statement = add(out, Statement::Kind::Match, node);
    const Nodes parts = children(node);
    Nodes subjects;
    for (const SyntaxNode& part : parts)
        if (part.field == "subject" || part.kind() == ",")
            subjects.push_back(part);
    if (subjects.size() == 1) {
        statement.expressions.push_back(namedExpression(subjects[0]));
    } else {
        Expression tuple = make(Kind::Tuple, subjects.at(0));
        tuple.end = subjects.back().end();
        for (const SyntaxNode& subject : subjects)
            if (subject.isNamed())
                tuple.children.push_back(item(subject));
        statement.expressions.push_back(std::move(tuple));
    }
    for (const SyntaxNode& part : children(require(parts, "body")))
        if (part.kind() == "case_clause")
            statement.cases.push_back(matchCase(part));
    if (statement.cases.empty())
        fail(require(parts, "body"), "expected an indented block after 'match' statement");
    for (size_t i = 0; i + 1 < statement.cases.size(); ++i)
        if (const Pattern* pattern = irrefutable(statement.cases[i].pattern);
            pattern && statement.cases[i].guard.empty())
            fail(pattern->begin, unreachableText(*pattern));
}

Statement::Case TreeBuilder::matchCase(const SyntaxNode& node) {
    startLine(node.begin());
    Statement::Case out;
    Nodes parts = children(node);
    for (const SyntaxNode& part : parts)
        if (part.kind() == "if_clause")
            out.guard.push_back(namedExpression(children(part).at(1)));
    const SyntaxNode body = require(parts, "consequence");
    std::erase_if(parts,
                  [](const SyntaxNode& part) { return part.kind() != "case_pattern" && part.kind() != ","; });
    out.pattern = parts.size() == 1 ? pattern(parts[0]) : sequenceOf(parts, node);
    if (out.pattern.kind == Pattern::Kind::Star)
        failSyntax(parts[0]);
    BoundNames names;
    names.of(out.pattern);
    if (!names.repeated.empty())
        fail(parts[0], "multiple assignments to name '" + names.repeated + "' in pattern");
    if (names.differ)
        fail(parts[0], "alternative patterns bind different names");
    out.body = block(body);
    return out;
}

Pattern TreeBuilder::makePattern(Pattern::Kind kind, const SyntaxNode& node) const {
    Pattern out;
    out.kind = kind;
    out.begin = node.begin();
    out.end = node.end();
    return out;
}

Pattern TreeBuilder::pattern(const SyntaxNode& node) {
    const Level level(*this, node);
    const std::string_view kind = node.kind();
    if (kind == "case_pattern") {
        const Nodes parts = children(node);
        return parts.size() == 1 ? pattern(parts[0]) : valuePattern(parts, node);
    }
    if (kind == "_")
        return makePattern(Pattern::Kind::Capture, node);
    if (kind == "dotted_name")
        return dottedPattern(node);
    if (kind == "as_pattern")
        return asPattern(node);
    if (kind == "union_pattern")
        return unionPattern(node);
    if (kind == "list_pattern" || kind == "tuple_pattern")
        return sequencePattern(node);
    if (kind == "dict_pattern")
        return mappingPattern(node);
    if (kind == "class_pattern")
        return classPattern(node);
    if (kind == "splat_pattern")
        return splatPattern(node);
    if (kind == "complex_pattern")
        return valuePattern(children(node), node);
    if (kind == "keyword_pattern")
        failSyntax(node);
    return valuePattern({node}, node);
}

/// A literal, or a number with signs: "-1", "2 - 3j".
Pattern TreeBuilder::valuePattern(const Nodes& parts, const SyntaxNode& node) {
    Pattern out = makePattern(Pattern::Kind::Value, node);
    std::vector<Expression> numbers;
    std::string_view sign;
    for (const SyntaxNode& part : parts) {
        if (!part.isNamed()) {
            sign = part.kind();
            continue;
        }
        Expression number = build(part);
        if (number.kind == Kind::FormattedText)
            fail(part, "patterns may only match literals and attribute lookups");
        if (numbers.empty() && sign == "-") {
            Expression negated = make(Kind::Unary, node);
            negated.op = Operator::Neg;
            negated.end = number.end;
            negated.children.push_back(std::move(number));
            number = std::move(negated);
        }
        numbers.push_back(std::move(number));
    }
    if (numbers.size() == 1) {
        out.expressions = std::move(numbers);
        return out;
    }
    Expression sum = make(Kind::Binary, node);
    sum.op = sign == "-" ? Operator::Sub : Operator::Add;
    if (numbers.size() != 2 || !numbers[1].constant.data().isComplexDouble())
        fail(node, "imaginary number required in complex literal");
    sum.children = std::move(numbers);
    out.expressions.push_back(std::move(sum));
    return out;
}

Pattern TreeBuilder::dottedPattern(const SyntaxNode& node) {
    const Nodes parts = children(node);
    if (parts.size() == 1) {
        Pattern out = makePattern(Pattern::Kind::Capture, node);
        if (text(node) != "_")
            out.target.push_back(makeName(parts[0]));
        return out;
    }
    Pattern out = makePattern(Pattern::Kind::Value, node);
    out.expressions.push_back(dottedExpression(node));
    return out;
}

Expression TreeBuilder::dottedExpression(const SyntaxNode& node) {
    const Nodes parts = children(node);
    Expression out = makeName(parts.at(0));
    for (size_t i = 2; i < parts.size(); i += 2) {
        Expression attribute = make(Kind::Attribute, node);
        attribute.end = parts[i].end();
        attribute.text = mangled(text(parts[i]));
        attribute.name = nameValue(attribute.text);
        attribute.children.push_back(std::move(out));
        out = std::move(attribute);
    }
    return out;
}

Pattern TreeBuilder::sequencePattern(const SyntaxNode& node) {
    const Nodes parts = children(node);
    Pattern out = sequenceOf(parts, node);
    // "(p)" is p alone.
    if (node.kind() == "tuple_pattern" && out.parts.size() == 1 && !holds(parts, ",")) {
        if (out.parts[0].kind == Pattern::Kind::Star)
            failSyntax(node);
        return Pattern(std::move(out.parts[0]));
    }
    return out;
}

Pattern TreeBuilder::sequenceOf(const Nodes& nodes, const SyntaxNode& parent) {
    Pattern out = makePattern(Pattern::Kind::Sequence, parent);
    if (!nodes.empty() && nodes[0].kind() == "case_pattern") {
        out.begin = nodes.front().begin();
        out.end = nodes.back().end();
    }
    bool hasStar = false;
    for (const SyntaxNode& child : nodes) {
        if (!child.isNamed())
            continue;
        out.parts.push_back(pattern(child));
        if (out.parts.back().kind != Pattern::Kind::Star)
            continue;
        if (hasStar)
            fail(child, "multiple starred names in sequence pattern");
        hasStar = true;
    }
    return out;
}

Pattern TreeBuilder::splatPattern(const SyntaxNode& node) {
    const Nodes parts = children(node);
    if (parts.at(0).kind() != "*")
        failSyntax(node);
    Pattern out = makePattern(Pattern::Kind::Star, node);
    if (text(parts.at(1)) != "_")
        out.target.push_back(makeName(parts[1]));
    return out;
}

Pattern TreeBuilder::mappingPattern(const SyntaxNode& node) {
    Pattern out = makePattern(Pattern::Kind::Mapping, node);
    Nodes key;
    for (const SyntaxNode& part : children(node)) {
        if (!out.target.empty() && part.isNamed())
            failSyntax(part);
        if (part.kind() == "splat_pattern") {
            const Nodes rest = children(part);
            if (rest.at(0).kind() != "**" || text(rest.at(1)) == "_")
                failSyntax(part);
            out.target.push_back(makeName(rest[1]));
        } else if (part.field == "key") {
            key.push_back(part);
        } else if (part.field == "value") {
            if (key.empty())
                failSyntax(part);
            Pattern keyPattern = key.size() == 1 ? pattern(key[0]) : valuePattern(key, key[0]);
            if (keyPattern.kind != Pattern::Kind::Value)
                failSyntax(key[0]);
            out.expressions.push_back(std::move(keyPattern.expressions[0]));
            out.parts.push_back(pattern(part));
            if (out.parts.back().kind == Pattern::Kind::Star)
                failSyntax(part);
            key.clear();
        }
    }
    return out;
}

Pattern TreeBuilder::classPattern(const SyntaxNode& node) {
    Pattern out = makePattern(Pattern::Kind::Class, node);
    for (const SyntaxNode& part : children(node)) {
        if (part.kind() == "dotted_name" && out.expressions.empty()) {
            out.expressions.push_back(dottedExpression(part));
            continue;
        }
        if (!part.isNamed())
            continue;
        const Nodes inner = children(part);
        if (inner.at(0).kind() != "keyword_pattern") {
            if (!out.keywords.empty())
                fail(part, "positional patterns follow keyword patterns");
            out.parts.push_back(pattern(part));
        } else {
            // name = pattern; a sign is a node of its own.
            const Nodes keyword = children(inner[0]);
            std::string name(text(keyword.at(0)));
            if (std::find(out.keywords.begin(), out.keywords.end(), name) != out.keywords.end())
                fail(part, "attribute name repeated in class pattern: " + name);
            out.keywords.push_back(std::move(name));
            const Nodes value(keyword.begin() + 2, keyword.end());
            out.parts.push_back(value.size() == 1 ? pattern(value[0]) : valuePattern(value, inner[0]));
        }
        if (out.parts.back().kind == Pattern::Kind::Star)
            failSyntax(part);
    }
    return out;
}

Pattern TreeBuilder::unionPattern(const SyntaxNode& node) {
    Pattern out = makePattern(Pattern::Kind::Or, node);
    Nodes alternative;
    const Nodes parts = children(node);
    for (size_t i = 0; i <= parts.size(); ++i) {
        if (i < parts.size() && parts[i].kind() != "|") {
            alternative.push_back(parts[i]);
            continue;
        }
        Pattern part =
            alternative.size() == 1 ? pattern(alternative[0]) : valuePattern(alternative, alternative.at(0));
        if (part.kind == Pattern::Kind::Star)
            failSyntax(node);
        const bool isAs = i < parts.size() && text(parts[i]) != "|"; // masked, see tokens.h
        if (const Pattern* all = irrefutable(part); all && i < parts.size() && !isAs)
            fail(all->begin, unreachableText(*all));
        out.parts.push_back(std::move(part));
        alternative.clear();
        if (isAs) {
            if (out.parts.size() == 1)
                out = Pattern(std::move(out.parts[0]));
            return bound(std::move(out), parts.at(i + 1), node);
        }
    }
    return out;
}

Pattern TreeBuilder::bound(Pattern inner, const SyntaxNode& name, const SyntaxNode& node) {
    Pattern out = makePattern(Pattern::Kind::As, node);
    if (text(name) == "_")
        fail(name, "cannot use '_' as a target");
    if (inner.kind == Pattern::Kind::Star || !isIdentifier(text(name)))
        failSyntax(name);
    out.parts.push_back(std::move(inner));
    out.target.push_back(makeName(name));
    return out;
}

Pattern TreeBuilder::asPattern(const SyntaxNode& node) {
    const Nodes parts = children(node);
    return bound(pattern(parts.at(0)), parts.at(2), node);
}

} // namespace fx
