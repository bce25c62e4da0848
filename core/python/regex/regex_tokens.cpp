// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/regex/regex_tokens.h"

#include "core/base/unicode.h"
#include "core/python/regex/regex_error.h"
#include "core/python/types/text_units.h"

namespace fx {

RegexTokens::RegexTokens(std::string_view pattern, bool isBytes) : m_isBytes(isBytes) {
    if (isBytes)
        for (const char c : pattern)
            m_pattern += static_cast<unsigned char>(c);
    else
        m_pattern = decodeText(pattern);
    look();
}

void RegexTokens::look() {
    m_size = m_at < m_pattern.size() ? 1 : 0;
    if (m_size == 0 || m_pattern[m_at] != '\\')
        return;
    if (m_at + 1 == m_pattern.size())
        throw RegexError(RegexFault::Syntax, "bad escape (end of pattern)", m_at);
    m_size = 2;
}

RegexTokens::Token RegexTokens::take() {
    const Token out = next();
    m_at += m_size;
    look();
    return out;
}

bool RegexTokens::accept(char32_t code) {
    if (!isNext(code))
        return false;
    take();
    return true;
}

std::u32string RegexTokens::takeWhile(size_t most, bool (*holds)(char32_t)) {
    std::u32string out;
    while (out.size() < most && m_size == 1 && holds(m_pattern[m_at]))
        out += take();
    return out;
}

std::u32string RegexTokens::takeUntil(char32_t end, const char* what) {
    std::u32string out;
    while (!isNext(end)) {
        if (m_size == 0 && out.empty())
            fail(std::string("missing ") + what);
        if (m_size == 0)
            fail(std::string("missing ") + static_cast<char>(end) + ", unterminated name", out.size());
        out += take();
    }
    take();
    if (out.empty())
        fail(std::string("missing ") + what, 1);
    return out;
}

void RegexTokens::goTo(size_t place) {
    m_at = place;
    look();
}

void RegexTokens::fail(const std::string& message, size_t before) const {
    std::string shown;
    for (const char32_t code : decodeText(message))
        if (m_isBytes && code >= 0x80)
            shown += hexEscape(code);
        else
            appendCode(shown, code);
    throw RegexError(RegexFault::Syntax, shown, m_at - before);
}

bool isRegexDigit(char32_t code) {
    return code >= '0' && code <= '9';
}
bool isRegexOctal(char32_t code) {
    return code >= '0' && code <= '7';
}
bool isRegexHex(char32_t code) {
    return isRegexDigit(code) || ((code | 0x20) >= 'a' && (code | 0x20) <= 'f');
}
bool isRegexLetter(char32_t code) {
    return code < 0x80 && (code | 0x20) >= 'a' && (code | 0x20) <= 'z';
}

std::string quotedName(std::u32string_view name) {
    const bool isDouble = name.find('\'') != name.npos && name.find('"') == name.npos;
    const char32_t quote = isDouble ? '"' : '\'';
    std::string out(1, static_cast<char>(quote));
    for (const char32_t code : name)
        if (code == quote || code == '\\')
            out += {'\\', static_cast<char>(code)};
        else if (code == '\n' || code == '\r' || code == '\t')
            out += code == '\n' ? "\\n" : code == '\r' ? "\\r" : "\\t";
        else if (isPrintableCode(code))
            appendCode(out, code);
        else
            out += hexEscape(code);
    return out + static_cast<char>(quote);
}

} // namespace fx
