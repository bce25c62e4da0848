// SPDX-License-Identifier: GPL-3.0-or-later
// A pattern as tokens, a code point or a backslash with the one after it. One token is looked at ahead, so
// that a lone backslash at the end is found as early, and named at the same place, as by Python.
#pragma once

#include <string>
#include <string_view>

namespace fx {

class RegexTokens {
public:
    using Token = std::u32string_view;

    /// Of bytes each byte is a code.
    RegexTokens(std::string_view pattern, bool isBytes);

    /// The token that comes; empty at the end.
    Token next() const { return Token(m_pattern).substr(m_at, m_size); }
    bool isNext(char32_t code) const { return m_size == 1 && m_pattern[m_at] == code; }
    /// The same token, which then is behind; empty at the end.
    Token take();
    bool accept(char32_t code);
    /// At most so many tokens for which it holds.
    std::u32string takeWhile(size_t most, bool (*holds)(char32_t));
    /// What stands before `end`, which is taken too: a `what`, such as "group name".
    std::u32string takeUntil(char32_t end, const char* what);

    /// Where the next token begins.
    size_t place() const { return m_at; }
    void goTo(size_t place);
    /// A syntax fault, so many codes before the next token.
    [[noreturn]] void fail(const std::string& message, size_t before = 0) const;

private:
    void look();

    const bool m_isBytes;
    std::u32string m_pattern;
    size_t m_at = 0;
    size_t m_size = 0; ///< of the next token
};

bool isRegexDigit(char32_t code);
bool isRegexOctal(char32_t code);
bool isRegexHex(char32_t code);
bool isRegexLetter(char32_t code); ///< of ASCII
/// repr() of a name, for messages.
std::string quotedName(std::u32string_view name);

} // namespace fx
