// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/types/text_units.h"

#include <algorithm>
#include <clocale>
#include <cwctype>
#include <optional>

namespace fx {

bool isAscii(std::string_view text) {
    return std::none_of(text.begin(), text.end(),
                        [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

namespace {

bool isContinuation(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

/// Unicode's classes of characters, which the C locale does not know.
locale_t unicode() {
    static const locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    return locale;
}

} // namespace

size_t textLength(std::string_view text) {
    return static_cast<size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return !isContinuation(c); }));
}

size_t byteOffset(std::string_view text, size_t index) {
    size_t at = 0;
    while (at < text.size() && (isContinuation(text[at]) || index-- > 0))
        ++at;
    return at;
}

size_t textIndex(std::string_view text, size_t byte) {
    return textLength(text.substr(0, byte));
}

std::string_view textRange(std::string_view text, size_t begin, size_t end) {
    if (isAscii(text))
        return begin < text.size() ? text.substr(begin, end - begin) : std::string_view();
    const size_t from = byteOffset(text, begin);
    const std::string_view rest = text.substr(from);
    return rest.substr(0, byteOffset(rest, end - begin));
}

size_t unitSize(std::string_view text, size_t at) {
    size_t end = at + 1;
    while (end < text.size() && isContinuation(text[end]))
        ++end;
    return end - at;
}

std::u32string decodeText(std::string_view utf8) {
    std::u32string out;
    out.reserve(utf8.size());
    for (size_t at = 0; at < utf8.size();) {
        const size_t size = unitSize(utf8, at);
        const auto lead = static_cast<unsigned char>(utf8[at]);
        char32_t code = lead < 0x80   ? lead
                        : lead < 0xE0 ? lead & 0x1F
                        : lead < 0xF0 ? lead & 0x0F
                                      : lead & 0x07;
        for (size_t i = 1; i < size; ++i)
            code = code << 6 | (static_cast<unsigned char>(utf8[at + i]) & 0x3F);
        out += code;
        at += size;
    }
    return out;
}

void appendCode(std::string& out, char32_t code) {
    const auto tail = [&](int shift) { out += static_cast<char>(0x80 | (code >> shift & 0x3F)); };
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xC0 | code >> 6);
        tail(0);
    } else if (code < 0x10000) {
        out += static_cast<char>(0xE0 | code >> 12);
        tail(6), tail(0);
    } else {
        out += static_cast<char>(0xF0 | code >> 18);
        tail(12), tail(6), tail(0);
    }
}

std::string encodeText(std::u32string_view text) {
    std::string out;
    out.reserve(text.size());
    for (char32_t code : text)
        appendCode(out, code);
    return out;
}

char32_t upperCode(char32_t code) {
    return static_cast<char32_t>(towupper_l(static_cast<wint_t>(code), unicode()));
}
char32_t lowerCode(char32_t code) {
    return static_cast<char32_t>(towlower_l(static_cast<wint_t>(code), unicode()));
}
bool isSpaceCode(char32_t code) {
    if (code < 0x80)
        return code == ' ' || (code >= 9 && code <= 13) || (code >= 0x1C && code <= 0x1F);
    return code == 0x85 || code == 0xA0 || code == 0x2007 || code == 0x202F ||
           iswspace_l(static_cast<wint_t>(code), unicode());
}
bool isAlphaCode(char32_t code) {
    return iswalpha_l(static_cast<wint_t>(code), unicode()) && !isDecimalCode(code);
}

namespace {

/// The zero of the digit's script, of those that are met in practice; none for what is no digit.
std::optional<char32_t> zeroOf(char32_t code) {
    static constexpr char32_t kZeros[] = {'0',   0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66,
                                          0xBE6, 0xC66, 0xCE6, 0xD66, 0xE50, 0xED0, 0xF20, 0xFF10};
    for (const char32_t zero : kZeros)
        if (code >= zero && code < zero + 10)
            return zero;
    return std::nullopt;
}

} // namespace

bool isDecimalCode(char32_t code) {
    return zeroOf(code).has_value();
}
char32_t decimalValue(char32_t code) {
    return code - zeroOf(code).value_or(code);
}
bool isUpperCode(char32_t code) {
    return iswupper_l(static_cast<wint_t>(code), unicode()) != 0;
}
bool isLowerCode(char32_t code) {
    return iswlower_l(static_cast<wint_t>(code), unicode()) != 0 || code == 0xAA || code == 0xBA ||
           code == 0xDF;
}
bool isPrintableCode(char32_t code) {
    if (code < 0x80)
        return code >= 0x20 && code < 0x7F;
    return code != 0xA0 && code != 0xAD && !(code >= 0xD800 && code < 0xE000) &&
           iswprint_l(static_cast<wint_t>(code), unicode()) &&
           !iswspace_l(static_cast<wint_t>(code), unicode());
}

bool isCombiningCode(char32_t code) {
    static const wctype_t kind = wctype_l("combining", unicode());
    return iswctype_l(static_cast<wint_t>(code), kind, unicode());
}

} // namespace fx
