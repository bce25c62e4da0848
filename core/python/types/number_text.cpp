// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers out of text, as int(), float() and complex() read them.
#include "core/base/text.h"
#include "core/python/big_int.h"
#include "core/python/types/operations.h"
#include "core/python/types/text_units.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace fx {

namespace {

/// The text without its underscores, each of which must stand between two digits; none if one does not.
std::optional<std::string> withoutUnderscores(std::string_view text) {
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '_') {
            out += text[i];
            continue;
        }
        const auto isDigit = [&](size_t at) {
            return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at]));
        };
        if (i == 0 || !isDigit(i - 1) || !isDigit(i + 1))
            return std::nullopt;
    }
    return out;
}

/// Digits of other scripts count as well, and so does their white space.
std::string withAsciiDigits(const std::string& text) {
    if (isAscii(text))
        return text;
    std::u32string out = decodeText(text);
    for (char32_t& code : out) {
        if (code >= 0x80 && isDecimalCode(code))
            code = U'0' + decimalValue(code);
        else if (isSpaceCode(code))
            code = U' ';
    }
    return encodeText(out);
}

/// Reads one float from the start of the text, as far as it goes; none if there is none.
std::optional<double> leadingFloat(std::string_view& text) {
    const std::string copy(text);
    const char* start = copy.c_str();
    size_t sign = !copy.empty() && (copy[0] == '+' || copy[0] == '-');
    const bool isWord = std::isalpha(static_cast<unsigned char>(start[sign]));
    // strtod also reads hexadecimal digits and nan(...), which Python does not.
    if (copy.find_first_of("xX(") != std::string::npos || std::isspace(static_cast<unsigned char>(start[0])))
        return std::nullopt;
    char* end = nullptr;
    const double value = std::strtod(start, &end);
    const auto length = static_cast<size_t>(end - start);
    if (length == 0 ||
        (isWord && start[sign] != 'i' && start[sign] != 'n' && start[sign] != 'I' && start[sign] != 'N'))
        return std::nullopt;
    text.remove_prefix(length);
    return value;
}

} // namespace

Value parseInteger(const std::string& text, int base, const std::string& what) {
    if (base != 0 && (base < 2 || base > 36))
        raise("ValueError", "int() base must be >= 2 and <= 36, or 0");
    const auto fail = [&] {
        raise("ValueError", "invalid literal for int() with base " + std::to_string(base) + ": " + what);
    };
    const std::string ascii = withAsciiDigits(text);
    std::string_view digits = trim(ascii);
    const bool isNegative = digits.starts_with('-');
    if (isNegative || digits.starts_with('+'))
        digits.remove_prefix(1);
    int found = base;
    if (digits.size() > 1 && digits[0] == '0') {
        const char kind = static_cast<char>(std::tolower(digits[1]));
        const int named = kind == 'x' ? 16 : kind == 'o' ? 8 : kind == 'b' ? 2 : 0;
        if (named != 0 && (base == named || base == 0)) {
            digits.remove_prefix(digits.size() > 2 && digits[2] == '_' ? 3 : 2);
            found = named;
        } else if (base == 0 && digits.find_first_not_of("0_") != std::string_view::npos) {
            fail();
        }
    }
    if (found == 0)
        found = 10;
    const std::optional<std::string> plain = withoutUnderscores(digits);
    const bool isPowerOfTwo = (found & (found - 1)) == 0;
    if (plain && plain->size() > 4300 && !isPowerOfTwo)
        raise("ValueError", "Exceeds the limit (4300 digits) for integer string conversion: value has " +
                                std::to_string(plain->size()) +
                                " digits; use sys.set_int_max_str_digits() to increase the limit");
    std::optional<BigInt> value = plain ? BigInt::parse(*plain, found) : std::nullopt;
    if (!value)
        fail();
    if (isNegative)
        mpz_neg(value->get(), value->get());
    return makeInteger(std::move(*value));
}

double parseFloat(const std::string& text) {
    const std::optional<std::string> plain = withoutUnderscores(trim(withAsciiDigits(text)));
    std::string_view rest = plain ? std::string_view(*plain) : std::string_view();
    const std::optional<double> value = leadingFloat(rest);
    if (!value || !rest.empty())
        raise("ValueError", "could not convert string to float: " + pythonRepr(text));
    return *value;
}

std::complex<double> parseComplex(const std::string& text) {
    const auto fail = [] { raise("ValueError", "complex() arg is a malformed string"); };
    const std::optional<std::string> plain = withoutUnderscores(trim(withAsciiDigits(text)));
    std::string_view rest = plain ? std::string_view(*plain) : std::string_view();
    if (rest.starts_with('(') && rest.ends_with(')'))
        rest = trim(rest.substr(1, rest.size() - 2));
    const auto part = [&]() -> double {
        if (const std::optional<double> value = leadingFloat(rest))
            return *value;
        // "j", "+j" and "-j" stand for one.
        const double sign = rest.starts_with('-') ? -1 : 1;
        if (rest.starts_with('-') || rest.starts_with('+'))
            rest.remove_prefix(1);
        if (rest != "j" && rest != "J")
            fail();
        return sign;
    };
    const double first = part();
    if (rest.empty())
        return {first, 0};
    if (rest == "j" || rest == "J")
        return {0, first};
    if (!rest.starts_with('+') && !rest.starts_with('-'))
        fail();
    const double second = part();
    if (rest != "j" && rest != "J")
        fail();
    return {first, second};
}

} // namespace fx
