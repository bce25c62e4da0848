// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/tokens.h"

#include "core/base/text.h"
#include "core/python/faults.h"
#include "core/python/token_parts.h"

#include <algorithm>
#include <array>

namespace fx {

namespace {

constexpr size_t kDeepestBrackets = 200, kDeepestIndent = 100; // Python's own limits

constexpr std::array<std::string_view, 25> kLongOperators{
    "**=", "//=", ">>=", "<<=", "...", "!=", "->", "**", "//", ">>", "<<", "<=", ">=",
    "==",  "+=",  "-=",  "*=",  "/=",  "%=", "&=", "|=", "^=", "@=", ":=", "<>"};

/// Words after which a value begins, not an operator.
bool opensValue(std::string_view word) {
    return isKeyword(word) && word != "None" && word != "True" && word != "False";
}

/// The words that a statement with a block begins with.
bool opensBlock(std::string_view word) {
    static constexpr std::array<std::string_view, 15> kWords{
        "if",   "elif", "else",  "for",   "while", "try",   "except", "finally",
        "with", "def",  "class", "match", "case",  "async", "except*"};
    return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

bool isWordStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
}

bool isWordPart(char c) {
    return isWordStart(c) || (c >= '0' && c <= '9');
}

class Tokenizer {
public:
    explicit Tokenizer(const SourceFile& file) : m_file(file), m_text(file.text) { m_out.masked = m_text; }

    TokenizedSource run() {
        while (m_at < m_text.size()) {
            if (m_isLineStart && m_brackets.empty()) {
                indentation();
                continue;
            }
            token();
        }
        if (!m_brackets.empty())
            fail(m_brackets.back().at, '\'' + std::string(1, m_brackets.back().sign) + "' was never closed");
        if (!m_isLineStart)
            newline();
        if (m_opener)
            failBlock(static_cast<uint32_t>(m_text.size()));
        return std::move(m_out);
    }

private:
    struct Bracket {
        char sign;
        uint32_t at;
    };
    struct Indent {
        size_t column = 0, tabless = 0; ///< with tabs to the next multiple of 8, and with tabs as one
    };

    [[noreturn]] void fail(size_t at, const std::string& message,
                           std::string_view kind = "SyntaxError") const {
        failAt(m_file, static_cast<uint32_t>(at), message, {}, kind);
    }

    std::string_view text(const Token& token) const {
        return m_text.substr(token.begin, token.end - token.begin);
    }

    // --- Lines.

    void indentation() {
        Indent indent;
        size_t at = m_at;
        for (; at < m_text.size(); ++at) {
            const char c = m_text[at];
            if (c == ' ') {
                ++indent.column;
                ++indent.tabless;
            } else if (c == '\t') {
                indent.column = (indent.column / 8 + 1) * 8;
                ++indent.tabless;
            } else if (c == '\f') {
                indent = {};
            } else if (c == '\\' && m_text.substr(at + 1, 1) == "\n") {
                ++at; // the blanks before a continuation count, those after it do not
                while (at + 1 < m_text.size() && (m_text[at + 1] == ' ' || m_text[at + 1] == '\t'))
                    ++at;
            } else {
                break;
            }
        }
        if (at == m_text.size() && m_text.ends_with("\\\n"))
            fail(at - 2, "unexpected EOF while parsing");
        m_at = at;
        if (at < m_text.size() && m_text[at] == '#')
            blank(std::min(m_text.find('\n', at), m_text.size()));
        if (m_at == m_text.size())
            return;
        if (m_text[m_at] == '\n') { // empty lines have no indentation
            ++m_at;
            return;
        }
        applyIndent(indent);
        m_isLineStart = false;
        m_lineFirst = m_out.tokens.size();
    }

    void applyIndent(const Indent& indent) {
        const auto isTorn = [&](const Indent& other) {
            return (indent.column <=> other.column) != (indent.tabless <=> other.tabless);
        };
        if (isTorn(m_indents.back()) && indent.column >= m_indents.back().column)
            failIndent(m_at, "inconsistent use of tabs and spaces in indentation", "TabError");
        if (indent.column > m_indents.back().column) {
            if (!m_opener)
                failIndent(m_at, "unexpected indent", "IndentationError");
            if (m_indents.size() >= kDeepestIndent)
                failIndent(m_at, "too many levels of indentation", "IndentationError");
            m_indents.push_back(indent);
        } else if (m_opener) {
            failBlock(static_cast<uint32_t>(m_at));
        }
        m_opener = false;
        while (indent.column < m_indents.back().column)
            m_indents.pop_back();
        if (indent.column != m_indents.back().column)
            failIndent(m_at, "unindent does not match any outer indentation level", "IndentationError");
        if (isTorn(m_indents.back()))
            failIndent(m_at, "inconsistent use of tabs and spaces in indentation", "TabError");
    }

    /// What is wrong in a line before matters more: a forgotten colon shows as an unexpected indent.
    [[noreturn]] void failIndent(size_t at, const std::string& message, std::string_view kind) const {
        explainLines(m_file, m_out, 0);
        fail(at, message, kind);
    }

    [[noreturn]] void failBlock(uint32_t at) const {
        const SourceFile::Position line = m_file.position(m_openerAt);
        std::string_view word = wordAt(m_openerAt);
        if (word == "async")
            word = wordAt(m_text.find_first_not_of(" \t", m_openerAt + 5));
        const std::string what = word == "def"     ? "function definition"
                                 : word == "class" ? "class definition"
                                                   : '\'' + std::string(word) + "' statement";
        failIndent(at, "expected an indented block after " + what + " on line " + std::to_string(line.line),
                   "IndentationError");
    }

    std::string_view wordAt(size_t at) const {
        size_t end = at;
        while (end < m_text.size() && isWordPart(m_text[end]))
            ++end;
        return m_text.substr(at, end - at);
    }

    /// The end of a logical line.
    void newline() {
        m_isLineStart = true;
        if (m_out.tokens.size() == m_lineFirst)
            return;
        const Token& first = m_out.tokens[m_lineFirst];
        const Token& last = m_out.tokens.back();
        m_opener = text(last) == ":" && opensBlock(text(first));
        m_openerAt = first.begin;
        if (text(first) == "match" && !isMatchStatement())
            m_out.masked[first.begin] = 'M';
        add(Token::Kind::Newline, m_at);
    }

    bool isMatchStatement() const {
        if (m_out.tokens.size() < m_lineFirst + 3)
            return false;
        const Token& next = m_out.tokens[m_lineFirst + 1];
        const std::string_view sign = text(next);
        return m_opener && (next.kind != Token::Kind::Operator || sign == "(" || sign == "[" || sign == "{" ||
                            sign == "*" || sign == "-" || sign == "~" || sign == "+" || sign == "...");
    }

    // --- Tokens.

    /// Comments and line ends within brackets mean nothing to Python, but lead tree-sitter's indentation
    /// astray.
    void blank(size_t end) {
        std::fill(m_out.masked.begin() + static_cast<std::ptrdiff_t>(m_at),
                  m_out.masked.begin() + static_cast<std::ptrdiff_t>(end), ' ');
        m_at = end;
    }

    void add(Token::Kind kind, size_t end) {
        m_out.tokens.push_back({kind, static_cast<uint32_t>(m_at), static_cast<uint32_t>(end),
                                static_cast<uint32_t>(m_brackets.size())});
        m_at = end;
    }

    void token() {
        const char c = m_text[m_at];
        if (c == ' ' || c == '\t' || c == '\f') {
            ++m_at;
        } else if (c == '\n') {
            if (m_brackets.empty()) {
                newline();
                ++m_at;
            } else {
                blank(m_at + 1);
            }
        } else if (c == '#') {
            blank(std::min(m_text.find('\n', m_at), m_text.size()));
        } else if (c == '\\') {
            if (m_at + 1 == m_text.size() || m_at + 2 == m_text.size())
                fail(m_at, "unexpected EOF while parsing");
            if (m_text[m_at + 1] != '\n')
                fail(m_at, "unexpected character after line continuation character");
            blank(m_at + 2);
        } else if (const size_t quote = stringPrefix(m_text, m_at); quote != std::string_view::npos) {
            add(Token::Kind::String, stringEnd(m_file, m_at, quote));
        } else if (isWordStart(c)) {
            word();
        } else if ((c >= '0' && c <= '9') || (c == '.' && m_at + 1 < m_text.size() &&
                                              m_text[m_at + 1] >= '0' && m_text[m_at + 1] <= '9')) {
            add(Token::Kind::Number, numberEnd(m_file, m_at));
        } else {
            sign();
        }
    }

    void word() {
        size_t end = m_at;
        while (end < m_text.size() && isWordPart(m_text[end])) {
            if (m_text[end] & 0x80)
                checkCharacter(end);
            ++end;
        }
        const std::string_view word = m_text.substr(m_at, end - m_at);
        const bool isFirst = isStatementStart();
        // tree-sitter also has Python 2's statements, and prefers `type` as a statement.
        if (word == "print" || word == "exec" || (word == "type" && !(isFirst && isNameNext(end))) ||
            (word == "match" && !isFirst))
            m_out.masked[m_at] = static_cast<char>(word[0] - 'a' + 'A');
        if (end < m_text.size() && (m_text[end] == '"' || m_text[end] == '\'') &&
            word.find_first_not_of("uUrRbBfF") == std::string_view::npos)
            fail(m_at, "invalid syntax"); // no prefix of a string
        if (word == "as" && isKeywordPattern())
            m_out.masked.replace(m_at, 2, "| ");
        add(Token::Kind::Name, end);
    }

    /// "case A(x=B() as y)": tree-sitter has no `as` there, but an alternative may stand in its place.
    bool isKeywordPattern() const {
        if (m_brackets.empty() || m_brackets.back().sign != '(' || text(m_out.tokens[m_lineFirst]) != "case")
            return false;
        for (size_t i = m_out.tokens.size(); i-- > m_lineFirst && m_out.tokens[i].depth >= m_brackets.size();)
            if (m_out.tokens[i].depth == m_brackets.size()) {
                const std::string_view sign = text(m_out.tokens[i]);
                if (sign == "=" || sign == ",")
                    return sign == "=";
            }
        return false;
    }

    bool isStatementStart() const {
        return m_out.tokens.size() == m_lineFirst || text(m_out.tokens.back()) == ";";
    }

    bool isNameNext(size_t at) const {
        while (at < m_text.size() && (m_text[at] == ' ' || m_text[at] == '\t'))
            ++at;
        return at < m_text.size() && isWordStart(m_text[at]) && !isKeyword(wordAt(at));
    }

    /// Characters that neither names nor anything else may hold; tree-sitter takes some of them for blanks.
    void checkCharacter(size_t at) const {
        static constexpr std::array<std::string_view, 9> kBlanks{
            "\u00a0", "\u200b", "\u2060", "\ufeff", "\u3000", "\u2028", "\u2029", "\u202f", "\u0085"};
        for (const std::string_view blank : kBlanks)
            if (m_text.substr(at, blank.size()) == blank)
                fail(at, "invalid non-printable character " + codePointText(m_text.substr(at)));
    }

    void sign() {
        const std::string_view rest = m_text.substr(m_at);
        for (const std::string_view sign : kLongOperators)
            if (rest.starts_with(sign))
                return add(Token::Kind::Operator, m_at + sign.size());
        const char c = m_text[m_at];
        static constexpr std::string_view kSigns = "()[]{},:.;@=+-*/%&|^~<>";
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
            fail(m_at, "invalid non-printable character " + codePointText(rest));
        if (kSigns.find(c) == std::string_view::npos)
            fail(m_at, "invalid syntax");
        if (c == '*')
            star();
        const Bracket bracket{c, static_cast<uint32_t>(m_at)};
        if (c == ')' || c == ']' || c == '}')
            close(c);
        add(Token::Kind::Operator, m_at + 1);
        if (c == '(' || c == '[' || c == '{') {
            if (m_brackets.size() + 1 >= kDeepestBrackets)
                fail(bracket.at, "too many nested parentheses");
            m_brackets.push_back(bracket);
        }
    }

    void close(char c) {
        if (m_brackets.empty())
            fail(m_at, "unmatched '" + std::string(1, c) + '\'');
        const Bracket open = m_brackets.back();
        const char expected = open.sign == '(' ? ')' : open.sign == '[' ? ']' : '}';
        if (c != expected) {
            const int line = m_file.position(open.at).line;
            const bool isSameLine = line == m_file.position(static_cast<uint32_t>(m_at)).line;
            fail(m_at, "closing parenthesis '" + std::string(1, c) +
                           "' does not match opening parenthesis '" + std::string(1, open.sign) + '\'' +
                           (isSameLine ? "" : " on line " + std::to_string(line)));
        }
        m_brackets.pop_back();
    }

    /// tree-sitter knows `*` before a value only in brackets or before a name.
    void star() {
        const bool isInside = m_out.tokens.size() > m_lineFirst;
        if (m_out.tokens.size() == m_lineFirst + 1 && text(m_out.tokens.back()) == "except") {
            // "except *A" is "except* A".
            std::swap(m_out.masked[m_out.tokens.back().end], m_out.masked[m_at]);
            return;
        }
        const size_t next = m_text.find_first_not_of(" \t", m_at + 1);
        if (next == std::string_view::npos ||
            std::string_view("([{\"'0123456789-+~.").find(m_text[next]) == std::string_view::npos)
            return;
        if (isInside) {
            const Token& last = m_out.tokens.back();
            const std::string_view before = text(last);
            const bool isValue = last.kind == Token::Kind::Operator
                                     ? before == ")" || before == "]" || before == "}" || before == "..."
                                     : last.kind != Token::Kind::Name || !opensValue(before);
            if (isValue)
                return;
        }
        m_out.masked[m_at] = '-';
    }

    const SourceFile& m_file;
    std::string_view m_text;
    TokenizedSource m_out;
    size_t m_at = 0;
    bool m_isLineStart = true;
    size_t m_lineFirst = 0;  ///< the first token of the logical line
    bool m_opener = false;   ///< the logical line before ended with a colon ...
    uint32_t m_openerAt = 0; ///< ... and began here
    std::vector<Bracket> m_brackets;
    std::vector<Indent> m_indents{1};
};

} // namespace

TokenizedSource tokenize(const SourceFile& file) {
    return Tokenizer(file).run();
}

} // namespace fx
