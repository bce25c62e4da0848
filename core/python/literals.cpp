// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/literals.h"

#include "core/python/big_int.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace fx {

namespace {

/// Independent of the locale, as strtod is not; too large is infinity, too small is zero.
double floatLiteral(std::string_view digits) {
    double value = 0;
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (fault != std::errc::result_out_of_range)
        return value;
    const size_t exponent = digits.find_first_of("eE");
    const bool isTiny = exponent != std::string_view::npos
                            ? digits.substr(exponent + 1).starts_with('-')
                            : digits.find_first_not_of("0.") > digits.find('.');
    return isTiny ? 0 : HUGE_VAL;
}

void appendUtf8(std::string& out, unsigned code) {
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xC0 | code >> 6);
        out += static_cast<char>(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        out += static_cast<char>(0xE0 | code >> 12);
        out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
        out += static_cast<char>(0x80 | (code & 0x3F));
    } else {
        out += static_cast<char>(0xF0 | code >> 18);
        out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
        out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
        out += static_cast<char>(0x80 | (code & 0x3F));
    }
}

/// The characters that sources do write by name; any other name is left to the caller.
constexpr std::array<std::pair<std::string_view, unsigned>, 24> kCharacterNames{{
    {"ALMOST EQUAL TO", 0x2248},
    {"BULLET", 0x2022},
    {"COPYRIGHT SIGN", 0xA9},
    {"DEGREE SIGN", 0xB0},
    {"ELEMENT OF", 0x2208},
    {"EM DASH", 0x2014},
    {"EN DASH", 0x2013},
    {"EURO SIGN", 0x20AC},
    {"GREEK CAPITAL LETTER DELTA", 0x394},
    {"GREEK SMALL LETTER ALPHA", 0x3B1},
    {"GREEK SMALL LETTER BETA", 0x3B2},
    {"GREEK SMALL LETTER LAMDA", 0x3BB},
    {"GREEK SMALL LETTER MU", 0x3BC},
    {"GREEK SMALL LETTER PI", 0x3C0},
    {"GREEK SMALL LETTER SIGMA", 0x3C3},
    {"HORIZONTAL ELLIPSIS", 0x2026},
    {"INFINITY", 0x221E},
    {"MICRO SIGN", 0xB5},
    {"MULTIPLICATION SIGN", 0xD7},
    {"NO-BREAK SPACE", 0xA0},
    {"PLUS-MINUS SIGN", 0xB1},
    {"RIGHTWARDS ARROW", 0x2192},
    {"SNOWMAN", 0x2603},
    {"SUPERSCRIPT TWO", 0xB2},
}};

class Unescaper {
public:
    Unescaper(std::string_view content, bool isBytes) : m_content(content), m_isBytes(isBytes) {}

    Unescaped run() {
        while (m_at < m_content.size() && m_out.fault.empty()) {
            const size_t backslash = std::min(m_content.find('\\', m_at), m_content.size());
            m_out.text += m_content.substr(m_at, backslash - m_at);
            m_at = backslash;
            if (m_at + 1 < m_content.size())
                escape();
            else if (m_at < m_content.size())
                m_out.text += m_content[m_at++];
        }
        return std::move(m_out);
    }

private:
    void escape() {
        static constexpr std::string_view kSimple = "\\\\''\"\"a\ab\bf\fn\nr\rt\tv\v";
        const char kind = m_content[m_at + 1];
        for (size_t k = 0; k < kSimple.size(); k += 2)
            if (kSimple[k] == kind) {
                m_out.text += kSimple[k + 1];
                m_at += 2;
                return;
            }
        if (kind == '\n')
            m_at += 2;
        else if (kind == 'x')
            hex(2);
        else if (kind >= '0' && kind <= '7')
            octal();
        else if (kind == 'u' && !m_isBytes)
            hex(4);
        else if (kind == 'U' && !m_isBytes)
            hex(8);
        else if (kind == 'N' && !m_isBytes)
            named();
        else
            m_out.text += m_content[m_at++];
    }

    void append(unsigned code) {
        if (m_isBytes)
            m_out.text += static_cast<char>(code);
        else
            appendUtf8(m_out.text, code);
    }

    void fail(std::string what, size_t end) {
        m_out.at = m_at;
        m_out.fault = m_isBytes ? "(value error) invalid \\x escape at position " + std::to_string(m_at)
                                : "(unicode error) 'unicodeescape' codec can't decode bytes in position " +
                                      std::to_string(m_at) + '-' + std::to_string(end) + ": " + what;
    }

    void hex(size_t digits) {
        const size_t start = m_at + 2;
        const size_t limit = std::min(m_content.size(), start + digits);
        unsigned code = 0;
        const char* end = std::from_chars(m_content.data() + start, m_content.data() + limit, code, 16).ptr;
        const auto stop = static_cast<size_t>(end - m_content.data());
        static constexpr std::string_view kForms[] = {"\\xXX", "\\uXXXX", "\\UXXXXXXXX"};
        if (stop != start + digits)
            return fail("truncated " + std::string(kForms[digits / 4]) + " escape",
                        std::max(stop, start) - 1);
        if (code > 0x10FFFF)
            return fail("illegal Unicode character", stop - 1);
        append(code);
        m_at = stop;
    }

    void octal() {
        const size_t limit = std::min(m_content.size(), m_at + 4);
        unsigned code = 0;
        const char* end = std::from_chars(m_content.data() + m_at + 1, m_content.data() + limit, code, 8).ptr;
        append(m_isBytes ? code & 0xFF : code);
        m_at = static_cast<size_t>(end - m_content.data());
    }

    void named() {
        const size_t close = m_content.find('}', m_at);
        if (m_content.substr(m_at + 2, 1) != "{" || close == std::string_view::npos || close == m_at + 3)
            return fail("malformed \\N character escape", m_at + 1);
        std::string name(m_content.substr(m_at + 3, close - m_at - 3));
        for (char& c : name)
            c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
        const auto* known = std::find_if(kCharacterNames.begin(), kCharacterNames.end(),
                                         [&](const auto& entry) { return entry.first == name; });
        if (known != kCharacterNames.end())
            append(known->second);
        else
            m_out.unknownName = name;
        m_at = close + 1;
    }

    std::string_view m_content;
    bool m_isBytes;
    size_t m_at = 0;
    Unescaped m_out;
};

} // namespace

Value numberLiteral(std::string_view text) {
    std::string digits;
    for (char c : text)
        if (c != '_')
            digits += c;
    const bool isHex = digits.starts_with("0x") || digits.starts_with("0X");
    if (!isHex && (digits.back() == 'j' || digits.back() == 'J')) {
        digits.pop_back();
        return c10::IValue(c10::complex<double>(0, floatLiteral(digits)));
    }
    if (!isHex && digits.find_first_of(".eE") != std::string::npos)
        return c10::IValue(floatLiteral(digits));
    int base = 10;
    size_t skip = 0;
    if (digits.size() > 2 && digits[0] == '0') {
        const char kind = static_cast<char>(digits[1] | 0x20);
        base = kind == 'x' ? 16 : kind == 'o' ? 8 : kind == 'b' ? 2 : 10;
        skip = base == 10 ? 0 : 2;
    }
    int64_t value = 0;
    const auto [end, fault] =
        std::from_chars(digits.data() + skip, digits.data() + digits.size(), value, base);
    return fault == std::errc() ? makeInt(value) : bigIntLiteral(text);
}

Unescaped unescaped(std::string_view content, bool isBytes) {
    return Unescaper(content, isBytes).run();
}

} // namespace fx
