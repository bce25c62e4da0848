// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/syntax/token_parts.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace fx {

namespace {

constexpr int kDeepestFormat = 20; ///< f-strings within f-strings

bool isDecimal(char c) {
    return c >= '0' && c <= '9';
}

bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
}

// --- Numbers.

class NumberReader {
public:
    NumberReader(const SourceFile& file, size_t at) : m_file(file), m_text(file.text), m_at(at) {}

    size_t end() {
        const size_t start = m_at;
        if (m_text[m_at] == '0' && m_at + 1 < m_text.size()) {
            switch (m_text[m_at + 1] | 0x20) {
            case 'x':
                return radix(16, "hexadecimal");
            case 'o':
                return radix(8, "octal");
            case 'b':
                return radix(2, "binary");
            default:
                break;
            }
        }
        if (m_text[m_at] != '.')
            digits();
        const size_t whole = m_at;
        bool isFloat = false;
        if (peek() == '.') {
            ++m_at;
            isFloat = true;
            if (isDecimal(peek()))
                digits();
        }
        if ((peek() | 0x20) == 'e') {
            const size_t next = m_at + (peek(1) == '+' || peek(1) == '-' ? 2 : 1);
            if (next < m_text.size() && isDecimal(m_text[next])) {
                m_at = next;
                isFloat = true;
                digits();
            } else if (next == m_at + 2) {
                fail(m_at, "invalid decimal literal");
            }
        }
        if ((peek() | 0x20) == 'j') {
            ++m_at;
            return finish("imaginary");
        }
        const std::string_view literal = m_text.substr(start, whole - start);
        if (!isFloat && literal.size() > 1 && literal[0] == '0' &&
            literal.find_first_not_of("0_") != std::string_view::npos)
            fail(start, "leading zeros in decimal integer literals are not permitted; use an 0o prefix for "
                        "octal integers");
        return finish("decimal");
    }

private:
    [[noreturn]] void fail(size_t at, const std::string& message) const {
        failAt(m_file, static_cast<uint32_t>(at), message);
    }

    char peek(size_t ahead = 0) const { return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0'; }

    void digits() {
        for (;;) {
            while (isDecimal(peek()))
                ++m_at;
            if (peek() != '_')
                return;
            ++m_at;
            if (!isDecimal(peek()))
                fail(m_at - 1, "invalid decimal literal");
        }
    }

    static bool isDigitOf(char c, int base) {
        const char lower = static_cast<char>(c | 0x20);
        return base == 16 ? isDecimal(c) || (lower >= 'a' && lower <= 'f') : c >= '0' && c < '0' + base;
    }

    size_t radix(int base, const std::string& name) {
        m_at += 2;
        do {
            if (peek() == '_')
                ++m_at;
            if (!isDigitOf(peek(), base)) {
                if (isDecimal(peek()))
                    fail(m_at, "invalid digit '" + std::string(1, peek()) + "' in " + name + " literal");
                fail(m_at, "invalid " + name + " literal");
            }
            while (isDigitOf(peek(), base))
                ++m_at;
        } while (peek() == '_');
        if (isDecimal(peek()))
            fail(m_at, "invalid digit '" + std::string(1, peek()) + "' in " + name + " literal");
        return finish(name);
    }

    /// A letter right after a number is only allowed where it begins one of these words.
    size_t finish(const std::string& name) const {
        static constexpr std::array<std::string_view, 8> kWords{"and", "else", "for", "if",
                                                                "in",  "is",   "not", "or"};
        const std::string_view rest = m_text.substr(m_at);
        const bool isWord = std::any_of(kWords.begin(), kWords.end(),
                                        [&](std::string_view word) { return rest.starts_with(word); });
        if (!rest.empty() && isLetter(rest[0]) && !isWord)
            fail(m_at, "invalid " + name + " literal");
        return m_at;
    }

    const SourceFile& m_file;
    std::string_view m_text;
    size_t m_at;
};

// --- Strings.

/// Finds the end of a literal. In f-strings the values between braces may hold literals of their own.
class StringReader {
public:
    StringReader(const SourceFile& file, std::vector<FormatValue>& values)
        : m_file(file), m_text(file.text), m_values(values) {}

    size_t end(size_t at, size_t quote, int depth) const {
        const std::string_view prefix = m_text.substr(at, quote - at);
        const bool isRaw = prefix.find_first_of("rR") != std::string_view::npos;
        const size_t width = m_text.substr(quote, 3) == std::string(3, m_text[quote]) ? 3 : 1;
        const std::string_view quotes = m_text.substr(quote, width);
        const bool isFormat = prefix.find_first_of("fF") != std::string_view::npos;
        if (depth > kDeepestFormat)
            fail(at, "f-string: expressions nested too deeply");
        size_t i = quote + width;
        while (i < m_text.size()) {
            const char c = m_text[i];
            if (m_text.substr(i, width) == quotes)
                return i + width;
            if (c == '\n' && width == 1)
                break;
            if (c == '\\' &&
                !(isFormat && (m_text.substr(i + 1, 1) == "{" || m_text.substr(i + 1, 1) == "}"))) {
                const bool isNamed = isFormat && !isRaw && m_text.substr(i + 1, 2) == "N{";
                i = isNamed ? std::min(m_text.find('}', i), m_text.size() - 1) + 1 : i + 2;
            } else if (isFormat && c == '{' && m_text.substr(i, 2) != "{{") {
                i = valueEnd(i, quotes, depth);
            } else if (isFormat && c == '}') {
                if (m_text.substr(i, 2) != "}}")
                    fail(i, "f-string: single '}' is not allowed");
                i += 2;
            } else {
                i += isFormat && c == '{' ? 2 : 1;
            }
        }
        const int line =
            m_file.position(static_cast<uint32_t>(std::min(i, m_text.find_last_not_of('\n')))).line;
        fail(at, std::string("unterminated ") + (width == 3 ? "triple-quoted " : "") +
                     "string literal (detected at line " + std::to_string(line) + ')');
    }

private:
    [[noreturn]] void fail(size_t at, const std::string& message) const {
        failAt(m_file, static_cast<uint32_t>(at), message);
    }

    /// `i` is at the opening brace; gives the place behind the closing one.
    size_t valueEnd(size_t i, std::string_view quotes, int depth) const {
        const size_t start = i++, index = m_values.size();
        m_values.push_back({static_cast<uint32_t>(start), 0, 0});
        const auto endExpression = [&](size_t at) {
            if (m_values[index].expressionEnd == 0)
                m_values[index].expressionEnd = static_cast<uint32_t>(at);
        };
        std::string open;
        bool isSpec = false, isEmpty = true;
        while (i < m_text.size()) {
            const char c = m_text[i];
            if (c == '\n' && quotes.size() == 1)
                break;
            if (isSpec && m_text.substr(i, quotes.size()) == quotes)
                break;
            if (c == '}' && open.empty()) {
                if (isEmpty)
                    fail(start, "f-string: empty expression not allowed");
                endExpression(i);
                m_values[index].end = static_cast<uint32_t>(i + 1);
                return i + 1;
            }
            if (isSpec) {
                if (c == '{' && depth > kDeepestFormat)
                    fail(i, "f-string: expressions nested too deeply");
                i = c == '{' ? valueEnd(i, quotes, depth + 1) : i + 1;
                continue;
            }
            if (const size_t quote = stringPrefix(m_text, i);
                quote != std::string_view::npos && (i == 0 || !isLetter(m_text[i - 1]))) {
                if (m_text.substr(quote, quotes.size()) == quotes && !endsOnLine(quote, quotes))
                    break;                      // it is the end of the f-string itself
                std::vector<FormatValue> inner; // of use when that literal is read itself
                i = StringReader(m_file, inner).end(i, quote, depth + 1);
                isEmpty = false;
                continue;
            }
            if (c == '#')
                fail(i, "f-string expression part cannot include '#'");
            if (c == '(' || c == '[' || c == '{')
                open += c;
            else if (c == ')' || c == ']' || c == '}')
                close(open, c, i);
            else if (open.empty() && (c == ':' || (c == '!' && m_text.substr(i, 2) != "!="))) {
                if (isEmpty)
                    fail(start, "f-string: empty expression not allowed");
                isSpec = c == ':';
                endExpression(i);
            }
            isEmpty = isEmpty && (c == ' ' || c == '\t' || c == '\n');
            ++i;
        }
        fail(start, open.empty() ? "f-string: expecting '}'"
                                 : "f-string: '" + std::string(1, open.back()) + "' was never closed");
    }

    /// Whether a string that begins with the quotes of the f-string around it also ends, and text follows.
    bool endsOnLine(size_t quote, std::string_view quotes) const {
        const size_t limit =
            quotes.size() == 3 ? m_text.size() : std::min(m_text.find('\n', quote), m_text.size());
        const size_t close = m_text.find(quotes, quote + quotes.size());
        return close < limit && m_text.find(quotes, close + quotes.size()) < limit;
    }

    void close(std::string& open, char c, size_t at) const {
        const char expected = open.empty() ? '\0' : open.back() == '(' ? ')' : open.back() == '[' ? ']' : '}';
        if (open.empty())
            fail(at, "f-string: unmatched '" + std::string(1, c) + '\'');
        if (c != expected)
            fail(at, "f-string: closing parenthesis '" + std::string(1, c) +
                         "' does not match opening parenthesis '" + std::string(1, open.back()) + '\'');
        open.pop_back();
    }

    const SourceFile& m_file;
    std::string_view m_text;
    std::vector<FormatValue>& m_values;
};

} // namespace

size_t stringPrefix(std::string_view text, size_t at) {
    static constexpr std::array<std::string_view, 9> kPrefixes{"",   "r",  "u",  "b", "f",
                                                               "br", "rb", "fr", "rf"};
    char prefix[3] = {};
    size_t length = 0;
    while (length < 3 && at + length < text.size() && text[at + length] != '"' && text[at + length] != '\'')
        prefix[length] = static_cast<char>(text[at + length] | 0x20), ++length;
    if (length == 3 || at + length >= text.size())
        return std::string_view::npos;
    const bool isKnown =
        std::find(kPrefixes.begin(), kPrefixes.end(), std::string_view(prefix, length)) != kPrefixes.end();
    return isKnown ? at + length : std::string_view::npos;
}

size_t stringEnd(const SourceFile& file, size_t at, size_t quote, std::vector<FormatValue>& values) {
    return StringReader(file, values).end(at, quote, 0);
}

size_t numberEnd(const SourceFile& file, size_t at) {
    return NumberReader(file, at).end();
}

std::string codePointText(std::string_view text) {
    const auto byte = [&](size_t i) {
        return i < text.size() ? static_cast<unsigned>(static_cast<unsigned char>(text[i])) : 0U;
    };
    const size_t length = byte(0) < 0x80 ? 1 : byte(0) < 0xE0 ? 2 : byte(0) < 0xF0 ? 3 : 4;
    unsigned code = length == 1 ? byte(0) : byte(0) & (0xFFU >> (length + 1));
    for (size_t i = 1; i < length; ++i)
        code = code << 6 | (byte(i) & 0x3F);
    char out[16];
    std::snprintf(out, sizeof(out), "U+%04X", code);
    return out;
}

} // namespace fx
