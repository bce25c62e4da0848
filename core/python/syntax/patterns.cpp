// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/syntax/pattern_parser.h"

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

Pattern PatternParser::makePattern(Pattern::Kind kind, uint32_t begin) const {
    Pattern out;
    out.kind = kind;
    out.begin = begin;
    out.end = lastEnd();
    return out;
}

/// A name that is bound; "_" is bound nowhere.
void PatternParser::capture(Pattern& out) {
    const bool isWildcard = is("_");
    Expression target = name();
    if (!isWildcard)
        out.target.push_back(std::move(target));
    out.end = lastEnd();
}

// --- Whole patterns.

Pattern PatternParser::casePattern() {
    const uint32_t begin = here();
    Pattern out = starOrPattern();
    if (is(",")) {
        Pattern sequence = makePattern(Pattern::Kind::Sequence, begin);
        sequence.parts.push_back(std::move(out));
        out = sequenceTo(std::move(sequence), "");
    } else if (out.kind == Pattern::Kind::Star) {
        stumble();
    }
    BoundNames names;
    names.of(out);
    if (!names.repeated.empty())
        later(begin, "multiple assignments to name '" + names.repeated + "' in pattern");
    if (names.differ)
        later(begin, "alternative patterns bind different names");
    return out;
}

void PatternParser::checkReachable(const std::vector<Statement::Case>& cases) {
    for (size_t i = 0; i + 1 < cases.size(); ++i)
        if (const Pattern* all = irrefutable(cases[i].pattern); all && cases[i].guard.empty())
            later(all->begin, unreachableText(*all));
}

Pattern PatternParser::starOrPattern() {
    const uint32_t begin = here();
    if (!accept("*"))
        return asPattern();
    Pattern out = makePattern(Pattern::Kind::Star, begin);
    capture(out);
    return out;
}

Pattern PatternParser::asPattern() {
    const Level level(*this);
    const uint32_t begin = here();
    Pattern out = closedPattern();
    if (is("|")) {
        Pattern either = makePattern(Pattern::Kind::Or, begin);
        either.parts.push_back(std::move(out));
        while (accept("|")) {
            if (const Pattern* all = irrefutable(either.parts.back()))
                later(all->begin, unreachableText(*all));
            either.parts.push_back(closedPattern());
        }
        out = std::move(either);
        out.end = lastEnd();
    }
    if (!accept("as"))
        return out;
    if (is("_"))
        fail(here(), "cannot use '_' as a target");
    Pattern bound = makePattern(Pattern::Kind::As, begin);
    bound.parts.push_back(std::move(out));
    capture(bound);
    return bound;
}

Pattern PatternParser::closedPattern() {
    switch (token().kind) {
    case Token::Kind::Name:
        return namePattern();
    case Token::Kind::Number:
    case Token::Kind::String:
    case Token::Kind::Keyword:
        return literalPattern();
    default:
        if (is("-"))
            return literalPattern();
        if (is("(") || is("["))
            return groupPattern();
        if (is("{"))
            return mappingPattern();
        stumble();
    }
}

Pattern PatternParser::namePattern() {
    const uint32_t begin = here();
    const std::string_view next = followingWord();
    if (next != "." && next != "(") {
        Pattern out = makePattern(Pattern::Kind::Capture, begin);
        capture(out);
        return out;
    }
    Expression value = dottedName();
    if (is("("))
        return classPattern(std::move(value), begin);
    Pattern out = makePattern(Pattern::Kind::Value, begin);
    out.expressions.push_back(std::move(value));
    return out;
}

// --- Literals.

Pattern PatternParser::literalPattern() {
    const uint32_t begin = here();
    const bool isNumber = is(Token::Kind::Number) || is("-");
    Expression value = isNumber ? signedNumber() : atom();
    if (value.kind == Kind::FormattedText)
        fail(begin, "patterns may only match literals and attribute lookups");
    if (isNumber && (is("+") || is("-"))) {
        // "2 - 3j"
        Expression sum;
        sum.kind = Kind::Binary;
        sum.op = is("-") ? Operator::Sub : Operator::Add;
        advance();
        const uint32_t right = here();
        if (!is(Token::Kind::Number))
            stumble();
        Expression imaginary = atom();
        if (!imaginary.constant.data().isComplexDouble())
            fail(right, "imaginary number required in complex literal");
        sum.begin = begin;
        sum.end = lastEnd();
        adopt(sum, std::move(value));
        adopt(sum, std::move(imaginary));
        value = std::move(sum);
    }
    Pattern out = makePattern(Pattern::Kind::Value, begin);
    out.expressions.push_back(std::move(value));
    return out;
}

Expression PatternParser::signedNumber() {
    const uint32_t begin = here();
    const bool isNegative = accept("-");
    if (!is(Token::Kind::Number))
        stumble();
    Expression number = atom();
    if (!isNegative)
        return number;
    Expression out = make(Kind::Unary, begin);
    out.op = Operator::Neg;
    adopt(out, std::move(number));
    return out;
}

// --- Patterns of patterns.

Pattern PatternParser::groupPattern() {
    const uint32_t begin = here();
    const std::string_view close = is("(") ? ")" : "]";
    advance();
    Pattern out = makePattern(Pattern::Kind::Sequence, begin);
    if (is(close))
        return sequenceTo(std::move(out), close);
    Pattern first = starOrPattern();
    // "(p)" is p alone.
    if (close == ")" && first.kind != Pattern::Kind::Star && accept(close))
        return first;
    if (close == ")" && !is(","))
        stumble();
    out.parts.push_back(std::move(first));
    return sequenceTo(std::move(out), close);
}

Pattern PatternParser::sequenceTo(Pattern out, std::string_view close) {
    const auto isEnd = [&] { return close.empty() ? is(":") || is("if") : is(close); };
    size_t stars = 0;
    for (const Pattern& part : out.parts)
        stars += part.kind == Pattern::Kind::Star;
    while (!isEnd()) {
        if (!out.parts.empty())
            expect(",");
        if (isEnd())
            break;
        const uint32_t begin = here();
        out.parts.push_back(starOrPattern());
        if (out.parts.back().kind == Pattern::Kind::Star && ++stars > 1)
            later(begin, "multiple starred names in sequence pattern");
    }
    if (!close.empty())
        advance();
    out.end = lastEnd();
    return out;
}

Pattern PatternParser::mappingPattern() {
    const uint32_t begin = here();
    advance();
    Pattern out = makePattern(Pattern::Kind::Mapping, begin);
    while (!is("}")) {
        if (!out.target.empty())
            stumble();
        if (accept("**")) {
            if (is("_"))
                stumble();
            capture(out);
        } else {
            Pattern key = is(Token::Kind::Name) ? namePattern() : literalPattern();
            if (key.kind != Pattern::Kind::Value)
                stumble();
            expect(":");
            out.expressions.push_back(std::move(key.expressions[0]));
            out.parts.push_back(asPattern());
        }
        if (!accept(","))
            break;
    }
    expect("}");
    out.end = lastEnd();
    return out;
}

Pattern PatternParser::classPattern(Expression type, uint32_t begin) {
    Pattern out = makePattern(Pattern::Kind::Class, begin);
    out.expressions.push_back(std::move(type));
    advance();
    while (!is(")")) {
        const uint32_t start = here();
        if (is(Token::Kind::Name) && followingWord() == "=") {
            std::string name(identifier());
            advance();
            if (std::find(out.keywords.begin(), out.keywords.end(), name) != out.keywords.end())
                later(start, "attribute name repeated in class pattern: " + name);
            out.keywords.push_back(std::move(name));
        } else if (!out.keywords.empty()) {
            fail(start, "positional patterns follow keyword patterns");
        }
        out.parts.push_back(asPattern());
        if (!accept(","))
            break;
    }
    expect(")");
    out.end = lastEnd();
    return out;
}

} // namespace fx
