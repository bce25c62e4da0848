// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/literals.h"

#include <charconv>
#include <cstdlib>

namespace fx {

std::optional<Argument> numberLiteral(std::string_view text) {
    std::string digits;
    for (char c : text)
        if (c != '_')
            digits += c;
    const bool isHex = digits.starts_with("0x") || digits.starts_with("0X");
    const bool isImaginary = digits.back() == 'j' || digits.back() == 'J';
    if (isImaginary && !isHex)
        return Argument(std::complex<double>(0, std::strtod(digits.c_str(), nullptr)));
    if (!isHex && digits.find_first_of(".eE") != std::string::npos)
        return Argument(std::strtod(digits.c_str(), nullptr));
    int base = 10;
    size_t skip = 0;
    if (digits.size() > 2 && digits[0] == '0') {
        const char kind = static_cast<char>(std::tolower(digits[1]));
        base = kind == 'x' ? 16 : kind == 'o' ? 8 : kind == 'b' ? 2 : 10;
        skip = base == 10 ? 0 : 2;
    }
    int64_t value = 0;
    const auto [end, fault] =
        std::from_chars(digits.data() + skip, digits.data() + digits.size(), value, base);
    if (fault != std::errc() || end != digits.data() + digits.size())
        return std::nullopt;
    return Argument(value);
}

namespace {

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

} // namespace

std::string unescaped(std::string_view content) {
    static constexpr std::string_view kSimple = "\\\\''\"\"a\ab\bf\fn\nr\rt\tv\v";
    std::string out;
    for (size_t i = 0; i < content.size(); ++i) {
        if (content[i] != '\\' || i + 1 == content.size()) {
            out += content[i];
            continue;
        }
        const char kind = content[++i];
        const size_t hexDigits = kind == 'x' ? 2 : kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
        bool isKnown = false;
        for (size_t k = 0; k < kSimple.size(); k += 2)
            if (kSimple[k] == kind) {
                out += kSimple[k + 1];
                isKnown = true;
            }
        if (isKnown || kind == '\n')
            continue;
        if (hexDigits != 0 || (kind >= '0' && kind <= '7')) {
            const size_t start = hexDigits != 0 ? i + 1 : i;
            const size_t limit = std::min(content.size(), start + (hexDigits != 0 ? hexDigits : 3));
            unsigned code = 0;
            const auto end =
                std::from_chars(content.data() + start, content.data() + limit, code, hexDigits != 0 ? 16 : 8)
                    .ptr;
            appendUtf8(out, code);
            i = static_cast<size_t>(end - content.data()) - 1;
            continue;
        }
        out += '\\';
        out += kind;
    }
    return out;
}

} // namespace fx
