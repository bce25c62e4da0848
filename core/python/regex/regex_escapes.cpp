// SPDX-License-Identifier: GPL-3.0-or-later
// What begins with a backslash, and sets, in which some of that means something else.
#include "core/python/regex/regex_error.h"
#include "core/python/regex/regex_set.h"
#include "core/python/regex/regex_translator.h"
#include "core/python/types/text_units.h"

namespace fx {

namespace {

/// What a letter stands for after a backslash.
std::optional<char32_t> shortEscape(char32_t letter) {
    static constexpr char32_t kEscapes[][2] = {{'a', 7},    {'b', 8},    {'f', '\f'}, {'n', '\n'},
                                               {'r', '\r'}, {'t', '\t'}, {'v', '\v'}};
    for (const auto& [name, code] : kEscapes)
        if (name == letter)
            return code;
    return std::nullopt;
}

char32_t digitsValue(std::u32string_view digits, unsigned base) {
    char32_t out = 0;
    for (const char32_t digit : digits)
        out = out * base + (isRegexDigit(digit) ? digit - '0' : (digit | 0x20) - 'a' + 10);
    return out;
}

bool isCategory(char32_t letter) {
    return std::u32string_view(U"dDsSwW").find(letter) != std::u32string_view::npos;
}

} // namespace

std::optional<char32_t> RegexTranslator::codeEscape(Token token) {
    const char32_t letter = token[1];
    const bool isUnicode = letter == 'u' || letter == 'U';
    if (letter == 'N' && !m_isBytes) {
        if (!m_tokens.accept('{'))
            m_tokens.fail("missing {");
        m_tokens.takeUntil('}', "character name");
        throw RegexError(RegexFault::Unsupported,
                         "a character by its name (\\N{...}) in a regular expression");
    }
    if (letter != 'x' && (!isUnicode || m_isBytes))
        return shortEscape(letter);
    const size_t size = letter == 'x' ? 2 : letter == 'u' ? 4 : 8;
    const std::u32string digits = m_tokens.takeWhile(size, isRegexHex);
    const std::string whole = encodeText(token) + encodeText(digits);
    if (digits.size() != size)
        m_tokens.fail("incomplete escape " + whole, whole.size());
    const char32_t code = digitsValue(digits, 16);
    if (code > 0x10FFFF)
        m_tokens.fail("bad escape " + whole, whole.size());
    return code;
}

char32_t RegexTranslator::octal(const std::u32string& digits, size_t size) const {
    const char32_t code = digitsValue(digits, 8);
    if (code > 0377)
        m_tokens.fail("octal escape value \\" + encodeText(digits) + " outside of range 0-0o377", size);
    return code;
}

RegexTranslator::Item RegexTranslator::escape(Token token, RegexMode mode) {
    const char32_t letter = token[1];
    if (isCategory(letter))
        return one(categoryText(letter, mode));
    if (letter == 'b' || letter == 'B')
        return place(boundaryText(letter == 'B', mode, m_isBytes || (m_flags & kRegexAscii)));
    if (letter == 'A' || letter == 'Z')
        return place(letter == 'A' ? "\\A" : "\\z");
    if (const std::optional<char32_t> code = codeEscape(token))
        return one(literalText(*code, mode));
    if (letter == '0') {
        const std::u32string digits = m_tokens.takeWhile(2, isRegexOctal);
        return one(literalText(digitsValue(digits, 8), mode));
    }
    if (isRegexLetter(letter))
        m_tokens.fail("bad escape " + encodeText(token), 2);
    if (!isRegexDigit(letter))
        return one(literalText(letter, mode));

    std::u32string digits = std::u32string(1, letter) + m_tokens.takeWhile(1, isRegexDigit);
    if (digits.size() == 2 && isRegexOctal(digits[0]) && isRegexOctal(digits[1])) {
        digits += m_tokens.takeWhile(1, isRegexOctal);
        if (digits.size() == 3)
            return one(literalText(octal(digits, 4), mode));
    }
    const int group = static_cast<int>(digitsValue(digits, 10));
    if (group > m_groups.count())
        m_tokens.fail("invalid group reference " + std::to_string(group), digits.size());
    return reference(group, digits.size() + 1, mode);
}

RegexTranslator::Item RegexTranslator::reference(int group, size_t before, RegexMode mode) {
    const RegexWidth width = m_groups.referred(group, m_tokens, before);
    Item out;
    out.text =
        std::string("(?:(?C2)") + (mode.foldsAscii() ? "(?i)" : "") + "\\g{" + std::to_string(group) + "})";
    out.width = width;
    out.countsWork = true;
    return out;
}

std::pair<char32_t, bool> RegexTranslator::setEscape(Token token) {
    const char32_t letter = token[1];
    if (isCategory(letter))
        return {letter, true};
    if (const std::optional<char32_t> code = codeEscape(token))
        return {*code, false};
    if (isRegexOctal(letter)) {
        const std::u32string digits = std::u32string(1, letter) + m_tokens.takeWhile(2, isRegexOctal);
        return {octal(digits, digits.size() + 1), false};
    }
    if (isRegexLetter(letter) || isRegexDigit(letter))
        m_tokens.fail("bad escape " + encodeText(token), 2);
    return {letter, false};
}

RegexTranslator::Item RegexTranslator::set(RegexMode mode) {
    const size_t start = m_tokens.place() - 1;
    const auto member = [&](Token token) {
        if (token.empty())
            m_tokens.fail("unterminated character set", m_tokens.place() - start);
        return token.size() == 2 ? setEscape(token) : std::pair(token[0], false);
    };
    RegexSet out;
    const auto add = [&](std::pair<char32_t, bool> item) {
        item.second ? out.addCategory(item.first) : out.add(item.first, item.first);
    };
    const bool isNegated = m_tokens.accept('^');
    for (bool isFirst = true;; isFirst = false) {
        const Token token = m_tokens.take();
        if (token == U"]" && !isFirst)
            break;
        const auto low = member(token);
        if (!m_tokens.accept('-')) {
            add(low);
            continue;
        }
        const Token last = m_tokens.take();
        if (last == U"]") {
            add(low);
            out.add('-', '-');
            break;
        }
        const auto high = member(last);
        if (low.second || high.second || high.first < low.first)
            m_tokens.fail("bad character range " + encodeText(token) + '-' + encodeText(last),
                          token.size() + 1 + last.size());
        out.add(low.first, high.first);
    }
    return one(out.text(isNegated, mode));
}

} // namespace fx
