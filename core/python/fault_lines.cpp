// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/fault_lines.h"

#include "core/base/text.h"
#include "core/python/parse_expression.h"
#include "core/python/syntax_tree.h"
#include "core/python/token_parts.h"
#include "core/python/tree_builder.h"

#include <algorithm>
#include <array>

namespace fx {

namespace {

using Kind = Expression::Kind;

/// Of lines longer than that nothing more is said than where they go wrong.
constexpr size_t kMostTokens = 2000;
constexpr const char* kEqualsHint = "invalid syntax. Maybe you meant '==' or ':=' instead of '='?";

class LineExplainer {
public:
    LineExplainer(const SourceFile& file, const TokenizedSource& source, const TokenRange& line)
        : m_file(file), m_source(source), m_line(line) {}

    [[noreturn]] void run() {
        if (m_line.last - m_line.first > kMostTokens)
            failAt(m_file, faultPosition(), "invalid syntax");
        characters();
        oldStatement();
        header();
        parameters();
        assignments();
        loopTargets();
        for (size_t i = m_line.first; i < m_line.last; ++i) {
            const std::string_view sign = word(i);
            if (sign == "=" && depth(i) > 0)
                equalsInBrackets(i);
            else if (sign == ":=")
                walrus(i);
            else if (sign == "{")
                braces(i);
            else if (sign == "(")
                generatorArgument(i);
            else if (sign == "if" && i > m_line.first)
                conditional(i);
            if (i + 1 < m_line.last)
                missingComma(i);
        }
        failAt(m_file, faultPosition(), insideText() ? "f-string: invalid syntax" : "invalid syntax");
    }

private:
    [[noreturn]] void fail(size_t i, const std::string& message) const { failAt(m_file, begin(i), message); }

    std::string_view word(size_t i) const {
        return i < m_line.last ? textOf(m_file, m_source.tokens[i]) : std::string_view();
    }
    size_t depth(size_t i) const { return m_source.tokens[i].depth; }
    uint32_t begin(size_t i) const { return m_source.tokens[i].begin; }
    Token::Kind kind(size_t i) const { return m_source.tokens[i].kind; }

    /// Where tree-sitter stumbles over the line when it reads it alone.
    uint32_t faultPosition() const {
        const uint32_t start = begin(m_line.first);
        const SyntaxTree tree(
            std::string_view(m_source.masked).substr(start, m_source.tokens[m_line.last - 1].end - start));
        return start + tree.fault().value_or(0);
    }

    bool insideText() const {
        const uint32_t at = faultPosition();
        for (size_t i = m_line.first; i < m_line.last; ++i)
            if (kind(i) == Token::Kind::String && begin(i) < at && at < m_source.tokens[i].end)
                return true;
        return false;
    }

    /// The expression of tokens [first, last), if they are one.
    std::optional<Expression> read(size_t first, size_t last) const {
        if (first >= last)
            return std::nullopt;
        const uint32_t start = begin(first);
        return tryExpression(
            std::string_view(m_file.text).substr(start, m_source.tokens[last - 1].end - start));
    }

    /// The part of a target that cannot be one.
    static const Expression* invalidPart(const Expression& e) {
        if (e.kind == Kind::Tuple || e.kind == Kind::List || e.kind == Kind::Starred) {
            for (const Expression& child : e.children)
                if (const Expression* part = invalidPart(child))
                    return part;
            return nullptr;
        }
        const bool isValid = e.kind == Kind::Name || e.kind == Kind::Attribute || e.kind == Kind::Subscript;
        return isValid ? nullptr : &e;
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

    /// Names may hold letters and digits of all languages, and nothing else beyond ASCII.
    void characters() const {
        for (size_t i = m_line.first; i < m_line.last; ++i) {
            if (kind(i) != Token::Kind::Name)
                continue;
            const std::string_view name = word(i);
            for (size_t at = 0; at < name.size(); ++at) {
                size_t end = at + 1;
                while (end < name.size() && (name[end] & 0xC0) == 0x80)
                    ++end;
                const std::string letter(name.substr(at, end - at));
                if (end > at + 1 && SyntaxTree((at == 0 ? "" : "a") + letter).fault())
                    failAt(m_file, begin(i) + static_cast<uint32_t>(at),
                           "invalid character '" + letter + "' (" + codePointText(letter) + ')');
                at = end - 1;
            }
        }
    }

    void oldStatement() const {
        const std::string_view first = word(m_line.first);
        if ((first != "print" && first != "exec") || m_line.last < m_line.first + 2 ||
            kind(m_line.first + 1) == Token::Kind::Operator)
            return;
        fail(m_line.first, "Missing parentheses in call to '" + std::string(first) + "'. Did you mean " +
                               std::string(first) + "(...)?");
    }

    void header() const {
        static constexpr std::array<std::string_view, 13> kHeaders{
            "if",      "elif", "else", "for",   "while", "class", "try",
            "finally", "with", "def",  "async", "case",  "except"};
        const std::string_view first = word(m_line.first);
        if (std::find(kHeaders.begin(), kHeaders.end(), first) == kHeaders.end() ||
            word(m_line.last - 1) == ":")
            return;
        const uint32_t start = begin(m_line.first), end = m_source.tokens[m_line.last - 1].end;
        std::string text = m_source.masked.substr(start, end - start) + ": pass\n";
        if (first == "elif" || first == "else")
            text = "if a: pass\n" + text;
        else if (first == "except" || first == "finally")
            text = "try: pass\n" + text;
        else if (first == "case")
            text = "match a:\n " + text;
        else if (first == "try")
            text += "finally: pass\n";
        if (!SyntaxTree(text).fault())
            failAt(m_file, end, "expected ':'");
    }

    void parameters() const {
        if (word(m_line.first) != "def")
            return;
        for (size_t i = m_line.first + 3; i + 1 < m_line.last; ++i) {
            if (depth(i) != 1 || word(i) != "=")
                continue;
            if (word(i + 1) == ")" || word(i + 1) == ",")
                fail(i, "expected default value expression");
            if (word(i - 2) == "*" || word(i - 2) == "**")
                fail(i, std::string(word(i - 2) == "*" ? "var-positional" : "var-keyword") +
                            " argument cannot have default value");
        }
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
        static constexpr std::array<std::string_view, 13> kAugmented{
            "+=", "-=", "*=", "/=", "//=", "%=", "@=", "&=", "|=", "^=", ">>=", "<<=", "**="};
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
        for (const std::string_view sign : kAugmented)
            for (const size_t at : topSigns(sign))
                if (const auto left = read(m_line.first, at); left && invalidPart(*left))
                    fail(m_line.first,
                         '\'' + describe(*left) + "' is an illegal expression for augmented assignment");
        size_t start = m_line.first;
        for (const size_t at : signs) {
            if (word(start) == "yield")
                fail(start, "assignment to yield expression not possible");
            const bool isYield = word(start) == "(" && word(start + 1) == "yield";
            const std::optional<Expression> left = read(start, at);
            const Expression* part = left ? invalidPart(*left) : nullptr;
            const bool looksWrong = signs.size() == 1 && (isYield || (left && looksCompared(*left)));
            if (part || isYield)
                fail(start, "cannot assign to " + (isYield ? "yield expression" : describe(*part)) +
                                (looksWrong ? " here. Maybe you meant '==' instead of '='?" : ""));
            start = at + 1;
        }
        if (const std::vector<size_t> colons = topSigns(":"); !colons.empty())
            if (const auto left = read(m_line.first, colons[0]); left && invalidPart(*left))
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

    void loopTargets() const {
        for (size_t i = m_line.first; i < m_line.last; ++i) {
            if (word(i) != "for")
                continue;
            size_t in = i + 1;
            while (in < m_line.last && (word(in) != "in" || depth(in) != depth(i)))
                ++in;
            if (in == m_line.last)
                continue;
            if (const auto target = read(i + 1, in))
                if (const Expression* part = invalidPart(*target))
                    fail(i + 1, "cannot assign to " + describe(*part));
        }
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
        return !isKeyword(text) || text == "None" || text == "True" || text == "False";
    }

    bool beginsValue(size_t i) const {
        if (kind(i) == Token::Kind::Operator)
            return false;
        const std::string_view text = word(i);
        return !isKeyword(text) || text == "None" || text == "True" || text == "False" || text == "lambda";
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

    /// A dict whose items are no pairs.
    void braces(size_t open) const {
        const size_t inner = depth(open) + 1;
        bool hasColon = false, isPair = false, isEmpty = true;
        for (size_t i = open + 1; i < m_line.last; ++i) {
            const bool isLast = depth(i) < inner; // the closing bracket
            if (depth(i) == inner && word(i) == "for" && word(open + 1) == "**")
                fail(open + 1, "dict unpacking cannot be used in dict comprehension");
            if (depth(i) == inner && word(i) == "for")
                return;
            if (depth(i) == inner && word(i) == ":") {
                hasColon = isPair = true;
                if (word(i + 1) == "," || word(i + 1) == "}")
                    fail(i, "expression expected after dictionary key and ':'");
                continue;
            }
            const bool isEnd = isLast || (depth(i) == inner && word(i) == ",");
            const bool isGap = !isEnd && !isPair && hasColon && i > open + 1 && depth(i) == inner &&
                               endsValue(i - 1) && beginsValue(i);
            if (((isEnd && !isEmpty) || isGap) && hasColon && !isPair)
                fail(i - 1, "':' expected after dictionary key");
            isEmpty = isEnd;
            isPair = isPair && !isEnd;
            if (word(i) == "**")
                isPair = true;
            if (isLast)
                return;
        }
    }

    void generatorArgument(size_t open) const {
        if (open == m_line.first || !endsValue(open - 1))
            return;
        const size_t inner = depth(open) + 1;
        bool hasFor = false;
        for (size_t i = open + 1; i < m_line.last && depth(i) >= inner; ++i) {
            if (depth(i) != inner)
                continue;
            hasFor = hasFor || word(i) == "for";
            if (hasFor && word(i) == "," && word(i + 1) != ")")
                fail(open + 1, "Generator expression must be parenthesized");
        }
    }

    void conditional(size_t at) const {
        const size_t inner = depth(at);
        for (size_t i = at; i-- > m_line.first && depth(i) >= inner;)
            if (depth(i) == inner && (word(i) == "for" || word(i) == "case"))
                return;
        for (size_t i = at + 1; i < m_line.last && depth(i) >= inner; ++i)
            if (depth(i) == inner && word(i) == "else")
                return;
        if (at + 1 < m_line.last && (beginsValue(at + 1)))
            fail(at, "expected 'else' after 'if' expression");
    }

    void missingComma(size_t i) const {
        const bool isOpen = depth(i + 1) > 0;
        const bool isPrefixed = kind(i) == Token::Kind::Name && kind(i + 1) == Token::Kind::String;
        const bool areTexts = kind(i) == Token::Kind::String && kind(i + 1) == Token::Kind::String;
        if (isOpen && !isPrefixed && !areTexts && endsValue(i) && beginsValue(i + 1))
            fail(i, "invalid syntax. Perhaps you forgot a comma?");
    }

    const SourceFile& m_file;
    const TokenizedSource& m_source;
    TokenRange m_line;
};

} // namespace

void explainLine(const SourceFile& file, const TokenizedSource& source, const TokenRange& line) {
    LineExplainer(file, source, line).run();
}

} // namespace fx
