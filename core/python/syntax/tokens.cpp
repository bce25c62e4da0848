// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/syntax/tokens.h"

#include "core/base/text.h"
#include "core/python/syntax/token_parts.h"
#include "core/python/types/text_units.h"

#include <algorithm>
#include <array>

namespace fx {

namespace {

constexpr size_t kDeepestBrackets = 200, kDeepestIndent = 100; // Python's own limits

constexpr std::array<std::string_view, 25> kLongOperators{
    "**=", "//=", ">>=", "<<=", "...", "!=", "->", "**", "//", ">>", "<<", "<=", ">=",
    "==",  "+=",  "-=",  "*=",  "/=",  "%=", "&=", "|=", "^=", "@=", ":=", "<>"};

bool isWordStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
}

bool isWordPart(char c) {
    return isWordStart(c) || (c >= '0' && c <= '9');
}

class Tokenizer {
public:
    explicit Tokenizer(const SourceFile& file) : m_file(file), m_text(file.text) {}

    TokenizedSource run() {
        try {
            lines();
        } catch (const Error& error) {
            if (error.kind() == "SyntaxError")
                throw;
            m_out.fault = error;
        }
        end();
        return std::move(m_out);
    }

    /// Nothing but an expression.
    TokenizedSource run(uint32_t begin, uint32_t end) {
        m_text = m_text.substr(0, end);
        m_at = begin;
        m_isInside = true;
        while (m_at < m_text.size())
            token();
        this->end();
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

    void add(Token::Kind kind, size_t end) {
        m_out.tokens.push_back({kind, static_cast<uint32_t>(m_at), static_cast<uint32_t>(end),
                                static_cast<uint32_t>(m_brackets.size())});
        m_at = end;
    }

    void end() {
        m_at = m_text.size();
        add(Token::Kind::End, m_at);
    }

    // --- Lines.

    void lines() {
        while (m_at < m_text.size()) {
            if (m_isLineStart && m_brackets.empty())
                indentation();
            else
                token();
        }
        if (!m_brackets.empty())
            fail(m_brackets.back().at, '\'' + std::string(1, m_brackets.back().sign) + "' was never closed");
        if (!m_isLineStart)
            newline();
        for (; m_indents.size() > 1; m_indents.pop_back())
            add(Token::Kind::Dedent, m_at);
    }

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
            m_at = std::min(m_text.find('\n', at), m_text.size());
        if (m_at == m_text.size())
            return;
        if (m_text[m_at] == '\n') { // empty lines have no indentation
            ++m_at;
            return;
        }
        applyIndent(indent);
        m_isLineStart = false;
    }

    void applyIndent(const Indent& indent) {
        const auto isTorn = [&](const Indent& other) {
            return (indent.column <=> other.column) != (indent.tabless <=> other.tabless);
        };
        if (isTorn(m_indents.back()) && indent.column >= m_indents.back().column)
            fail(m_at, "inconsistent use of tabs and spaces in indentation", "TabError");
        if (indent.column > m_indents.back().column) {
            if (m_indents.size() >= kDeepestIndent)
                fail(m_at, "too many levels of indentation", "IndentationError");
            m_indents.push_back(indent);
            add(Token::Kind::Indent, m_at);
        }
        const bool isKnown = std::any_of(m_indents.begin(), m_indents.end(),
                                         [&](const Indent& other) { return other.column == indent.column; });
        if (!isKnown)
            fail(m_at, "unindent does not match any outer indentation level", "IndentationError");
        for (; indent.column < m_indents.back().column; m_indents.pop_back())
            add(Token::Kind::Dedent, m_at);
        if (isTorn(m_indents.back()))
            fail(m_at, "inconsistent use of tabs and spaces in indentation", "TabError");
    }

    /// The end of a logical line.
    void newline() {
        m_isLineStart = true;
        if (!m_out.tokens.empty() && m_out.tokens.back().kind < Token::Kind::Newline)
            add(Token::Kind::Newline, m_at);
    }

    // --- Tokens.

    void token() {
        const char c = m_text[m_at];
        if (c == ' ' || c == '\t' || c == '\f') {
            ++m_at;
        } else if (c == '\n') {
            if (m_brackets.empty() && !m_isInside)
                newline();
            ++m_at;
        } else if (c == '#') {
            m_at = std::min(m_text.find('\n', m_at), m_text.size());
        } else if (c == '\\') {
            if (m_at + 1 == m_text.size() || m_at + 2 == m_text.size())
                fail(m_at, "unexpected EOF while parsing");
            if (m_text[m_at + 1] != '\n')
                fail(m_at, "unexpected character after line continuation character");
            m_at += 2;
        } else if (const size_t quote = stringPrefix(m_text, m_at); quote != std::string_view::npos) {
            add(Token::Kind::String, stringEnd(m_file, m_at, quote, m_out.values));
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
        while (end < m_text.size() && isWordPart(m_text[end]))
            end = m_text[end] & 0x80 ? letterEnd(end) : end + 1;
        const std::string_view word = m_text.substr(m_at, end - m_at);
        if (end < m_text.size() && (m_text[end] == '"' || m_text[end] == '\'') &&
            word.find_first_not_of("uUrRbBfF") == std::string_view::npos)
            fail(m_at, "invalid syntax"); // no prefix of a string
        add(isKeyword(word) ? Token::Kind::Keyword : Token::Kind::Name, end);
    }

    /// Names may hold letters and digits of all languages, and nothing else beyond ASCII.
    size_t letterEnd(size_t at) const {
        const std::string_view letter = m_text.substr(at, unitSize(m_text, at));
        const char32_t code = decodeText(letter)[0];
        const bool isPart = isAlphaCode(code) || isDecimalCode(code) || isCombiningCode(code) ||
                            code == 0xB7 || code == 0x387; // the dots in Catalan and Greek words
        if (at == m_at ? isAlphaCode(code) && !isCombiningCode(code) : isPart)
            return at + letter.size();
        const std::string number = codePointText(letter);
        if (isPrintableCode(code))
            fail(at, "invalid character '" + std::string(letter) + "' (" + number + ')');
        fail(at, "invalid non-printable character " + number);
    }

    void sign() {
        const std::string_view rest = m_text.substr(m_at);
        if (rest.size() > 1 && std::string_view("=*/<>.-:").find(rest[1]) == std::string_view::npos)
            return sign(rest[0]);
        for (const std::string_view sign : kLongOperators)
            if (rest.starts_with(sign))
                return add(Token::Kind::Operator, m_at + sign.size());
        sign(rest[0]);
    }

    void sign(char c) {
        static constexpr std::string_view kSigns = "()[]{},:.;@=+-*/%&|^~<>";
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
            fail(m_at, "invalid non-printable character " + codePointText(m_text.substr(m_at)));
        if (kSigns.find(c) == std::string_view::npos)
            fail(m_at, "invalid syntax");
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

    const SourceFile& m_file;
    std::string_view m_text;
    TokenizedSource m_out;
    size_t m_at = 0;
    bool m_isLineStart = true;
    bool m_isInside = false; ///< of an f-string: lines mean nothing
    std::vector<Bracket> m_brackets;
    std::vector<Indent> m_indents{1};
};

} // namespace

TokenizedSource tokenize(const SourceFile& file) {
    return Tokenizer(file).run();
}

TokenizedSource tokenizeExpression(const SourceFile& file, uint32_t begin, uint32_t end) {
    return Tokenizer(file).run(begin, end);
}

} // namespace fx
