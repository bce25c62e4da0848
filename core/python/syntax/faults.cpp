// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/syntax/faults.h"

#include "core/base/text.h"
#include "core/python/syntax/expression_parser.h"

#include <algorithm>
#include <array>

namespace fx {

namespace {

using Kind = Expression::Kind;

/// Of lines longer than that nothing more is said than where they go wrong.
constexpr size_t kMostTokens = 2000;
constexpr const char* kEqualsHint = "invalid syntax. Maybe you meant '==' or ':=' instead of '='?";

/// Tokens [first, last) of a source; the end of the line is none of them.
struct TokenRange {
    size_t first, last;
};

class LineExplainer {
public:
    LineExplainer(const SourceFile& file, const TokenizedSource& source, const TokenRange& line,
                  const std::string& prefix)
        : m_file(file), m_tokens(source.tokens), m_source(source), m_line(line), m_prefix(prefix) {}

    /// Throws the SyntaxError if the line has one of those that are looked for.
    void run() {
        oldStatement();
        assignments();
        for (size_t i = m_line.first; i < m_line.last; ++i) {
            const std::string_view sign = word(i);
            if (sign == "=" && depth(i) > 0)
                equalsInBrackets(i);
            else if (sign == ":=")
                walrus(i);
            else if (sign == "if" && i > m_line.first)
                conditional(i);
            if (i + 1 < m_line.last)
                missingComma(i);
        }
    }

private:
    [[noreturn]] void fail(size_t i, const std::string& message) const {
        failAt(m_file, m_tokens[i].begin, m_prefix + message);
    }

    std::string_view word(size_t i) const {
        return i < m_line.last ? textOf(m_file, m_tokens[i]) : std::string_view();
    }
    size_t depth(size_t i) const { return m_tokens[i].depth; }
    Token::Kind kind(size_t i) const { return m_tokens[i].kind; }

    /// The expression of tokens [first, last), if they are one.
    std::optional<Expression> read(size_t first, size_t last) const {
        TokenizedSource part;
        part.tokens.assign(m_tokens.begin() + static_cast<std::ptrdiff_t>(first),
                           m_tokens.begin() + static_cast<std::ptrdiff_t>(std::max(first, last)));
        const uint32_t end = part.tokens.empty() ? 0 : part.tokens.back().end;
        part.tokens.push_back({Token::Kind::End, end, end, 0});
        for (auto value = firstValue(m_source, part.tokens[0].begin);
             value != m_source.values.end() && value->begin < end; ++value)
            part.values.push_back(*value);
        return ExpressionParser(m_file, part).tryAll();
    }

    static std::string describe(const Expression& e) { return std::string(describeKind(e)); }

    /// Whether Python takes `e = ...` for a comparison that lacks a sign.
    static bool looksCompared(const Expression& e) {
        const bool isLoose = e.kind == Kind::Compare || e.kind == Kind::Not || e.kind == Kind::And ||
                             e.kind == Kind::Or || e.kind == Kind::Lambda || e.kind == Kind::Conditional;
        const bool isWord = e.kind == Kind::Constant && (e.constant.isNone() || e.constant.isBool());
        const bool isGenerator =
            e.kind == Kind::Comprehension && e.function->kind == FunctionTree::Kind::Generator;
        return !isLoose && !isWord && !isGenerator && e.kind != Kind::Tuple && e.kind != Kind::List;
    }

    void oldStatement() const {
        const std::string_view first = word(m_line.first);
        if ((first != "print" && first != "exec") || m_line.last < m_line.first + 2 ||
            kind(m_line.first + 1) == Token::Kind::Operator)
            return;
        fail(m_line.first, "Missing parentheses in call to '" + std::string(first) + "'. Did you mean " +
                               std::string(first) + "(...)?");
    }

    /// The signs of an assignment outside of brackets and lambdas.
    std::vector<size_t> topSigns(std::string_view sign) const {
        std::vector<size_t> out;
        size_t lambdas = 0;
        for (size_t i = m_line.first; i < m_line.last; ++i) {
            if (depth(i) > 0)
                continue;
            if (word(i) == "lambda")
                ++lambdas;
            else if (word(i) == ":" && lambdas > 0)
                --lambdas;
            else if (lambdas == 0 && word(i) == sign)
                out.push_back(i);
        }
        return out;
    }

    void assignments() const {
        const std::string_view first = word(m_line.first);
        const std::vector<size_t> signs = topSigns("=");
        if (first == "if" || first == "elif" || first == "while") {
            if (!signs.empty())
                condition(m_line.first + 1, signs[0]);
            return;
        }
        static constexpr std::array<std::string_view, 7> kValues{"None",   "True",  "False", "not",
                                                                 "lambda", "yield", "await"};
        if (isKeyword(first) && std::find(kValues.begin(), kValues.end(), first) == kValues.end())
            return;
        size_t start = m_line.first;
        for (const size_t at : signs) {
            if (word(start) == "yield")
                fail(start, "assignment to yield expression not possible");
            const bool isYield = word(start) == "(" && word(start + 1) == "yield";
            const std::optional<Expression> left = read(start, at);
            const Expression* part = left ? invalidTarget(*left) : nullptr;
            const bool looksWrong = signs.size() == 1 && (isYield || (left && looksCompared(*left)));
            if (part || isYield)
                fail(start, "cannot assign to " + (isYield ? "yield expression" : describe(*part)) +
                                (looksWrong ? " here. Maybe you meant '==' instead of '='?" : ""));
            start = at + 1;
        }
        if (const std::vector<size_t> colons = topSigns(":"); !colons.empty() && first != "case")
            if (const auto left = read(m_line.first, colons[0]); left && invalidTarget(*left))
                fail(m_line.first, "illegal target for annotation");
    }

    /// `=` between a condition's keyword or bracket and its end.
    void condition(size_t start, size_t at) const {
        const std::optional<Expression> left = read(start, at);
        if (left && left->kind != Kind::Name && looksCompared(*left))
            fail(start,
                 "cannot assign to " + describe(*left) + " here. Maybe you meant '==' instead of '='?");
        if (left && left->kind == Kind::Name)
            fail(start, kEqualsHint);
    }

    /// The token that opens the brackets around token i.
    size_t opening(size_t i) const {
        const size_t inner = depth(i);
        while (i > m_line.first && depth(i) >= inner)
            --i;
        return i;
    }

    /// Where the item begins that token i is in: behind the comma or bracket before it.
    size_t itemStart(size_t i) const {
        const size_t inner = depth(i);
        while (i > m_line.first && !(depth(i - 1) == inner && word(i - 1) == ",") && depth(i - 1) >= inner)
            --i;
        return i;
    }

    bool endsValue(size_t i) const {
        if (kind(i) == Token::Kind::Operator)
            return word(i) == ")" || word(i) == "]" || word(i) == "}" || word(i) == "...";
        const std::string_view text = word(i);
        return kind(i) != Token::Kind::Keyword || text == "None" || text == "True" || text == "False";
    }

    bool beginsValue(size_t i) const {
        if (kind(i) == Token::Kind::Operator)
            return false;
        const std::string_view text = word(i);
        return kind(i) != Token::Kind::Keyword || text == "None" || text == "True" || text == "False" ||
               text == "lambda";
    }

    void equalsInBrackets(size_t at) const {
        const size_t open = opening(at), start = itemStart(at);
        for (size_t i = start; i < at; ++i)
            if (word(i) == "lambda")
                return;
        if (word(m_line.first) == "def" || word(m_line.first) == "async")
            return;
        const bool isCall = word(open) == "(" && open > m_line.first && endsValue(open - 1);
        const std::optional<Expression> left = read(start, at);
        if (!isCall)
            return condition(start, at);
        if (!left || left->kind == Kind::Name)
            return;
        if (left->kind == Kind::Constant && (left->constant.isNone() || left->constant.isBool()))
            fail(start, "cannot assign to " + describe(*left));
        fail(start, "expression cannot contain assignment, perhaps you meant \"==\"?");
    }

    void walrus(size_t at) const {
        if (const auto left = read(itemStart(at), at); left && left->kind != Kind::Name)
            fail(itemStart(at), "cannot use assignment expressions with " + describe(*left));
    }

    void conditional(size_t at) const {
        const size_t inner = depth(at);
        for (size_t i = at; i-- > m_line.first && depth(i) >= inner;)
            if (depth(i) == inner && (word(i) == "for" || word(i) == "case"))
                return;
        for (size_t i = at + 1; i < m_line.last && depth(i) >= inner; ++i)
            if (depth(i) == inner && word(i) == "else")
                return;
        if (endsValue(at - 1) && at + 1 < m_line.last && beginsValue(at + 1))
            fail(at, "expected 'else' after 'if' expression");
    }

    void missingComma(size_t i) const {
        const bool isOpen = depth(i + 1) > 0 || !m_prefix.empty(); // of an f-string's braces nothing is left
        const bool isPrefixed = kind(i) == Token::Kind::Name && kind(i + 1) == Token::Kind::String;
        const bool areTexts = kind(i) == Token::Kind::String && kind(i + 1) == Token::Kind::String;
        if (isOpen && !isPrefixed && !areTexts && endsValue(i) && beginsValue(i + 1))
            fail(i, "invalid syntax. Perhaps you forgot a comma?");
    }

    const SourceFile& m_file;
    const std::vector<Token>& m_tokens;
    const TokenizedSource& m_source;
    TokenRange m_line;
    const std::string& m_prefix;
};

bool endsLine(const Token& token) {
    return token.kind >= Token::Kind::Newline;
}

} // namespace

void explainStumble(const SourceFile& file, const TokenizedSource& source, size_t token,
                    const std::string& prefix) {
    const std::vector<Token>& tokens = source.tokens;
    if (tokens[token].kind == Token::Kind::Indent || tokens[token].kind == Token::Kind::Dedent)
        failAt(file, tokens[token].begin,
               tokens[token].kind == Token::Kind::Indent ? "unexpected indent" : "unexpected unindent", {},
               "IndentationError");
    TokenRange line{token, token};
    while (line.first > 0 && !endsLine(tokens[line.first - 1]))
        --line.first;
    while (!endsLine(tokens[line.last]))
        ++line.last;
    if (line.last > line.first && line.last - line.first <= kMostTokens)
        LineExplainer(file, source, line, prefix).run();
    failAt(file, tokens[token].begin, prefix + "invalid syntax");
}

} // namespace fx
