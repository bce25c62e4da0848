// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/types/format.h"

#include "core/base/text.h"
#include "core/python/big_int.h"
#include "core/python/types/operations.h"
#include "core/python/types/text_units.h"

#include <algorithm>
#include <cmath>

namespace fx {

namespace {

constexpr int64_t kLargeWidth = 65536; ///< from here on the memory is asked for

bool isAlign(char32_t c) {
    return c == '<' || c == '>' || c == '=' || c == '^';
}

std::string shown(char32_t code) {
    std::string out;
    appendCode(out, code);
    return out;
}

[[noreturn]] void unknownCode(const FormatSpec& spec, const std::string& type) {
    raise("ValueError", "Unknown format code '" + shown(spec.type) + "' for object of type '" + type + '\'');
}

std::string grouped(const std::string& digits, char separator, size_t size, int64_t width) {
    std::string out;
    // Zeros that fill the width are grouped as well; the text never begins with a separator.
    for (size_t i = 0; i < digits.size() || static_cast<int64_t>(out.size()) < width; ++i) {
        if (separator && i > 0 && i % size == 0) {
            out += separator;
            if (i >= digits.size() && static_cast<int64_t>(out.size()) >= width) {
                out += '0';
                break;
            }
        }
        out += i < digits.size() ? digits[digits.size() - 1 - i] : '0';
    }
    std::reverse(out.begin(), out.end());
    return out;
}

} // namespace

FormatSpec parseFormatSpec(const std::string& text, const std::string& typeName) {
    const std::u32string spec = decodeText(text);
    FormatSpec out;
    size_t at = 0;
    const auto peek = [&](size_t ahead = 0) { return at + ahead < spec.size() ? spec[at + ahead] : U'\0'; };
    const auto take = [&](char32_t c) { return peek() == c && at < spec.size() ? (++at, true) : false; };
    const auto number = [&](int64_t& value) {
        const size_t start = at;
        for (value = 0; isDecimalCode(peek()) && peek() < 0x80; ++at)
            if (__builtin_mul_overflow(value, int64_t(10), &value) ||
                __builtin_add_overflow(value, int64_t(peek() - '0'), &value))
                raise("ValueError", "Too many decimal digits in format string");
        if (at == start)
            value = -1;
        return at > start;
    };
    bool hasFill = false;
    if (isAlign(peek(1)) && spec.size() > 1) {
        out.fill = spec[0];
        out.align = static_cast<char>(spec[1]);
        hasFill = true;
        at = 2;
    } else if (isAlign(peek())) {
        out.align = static_cast<char>(spec[at++]);
    }
    if (peek() == '+' || peek() == '-' || peek() == ' ') {
        out.sign = static_cast<char>(spec[at++]);
        if (out.sign == '-')
            out.sign = 'm'; // told apart from none for the types that take no sign
    }
    out.coercesZero = take('z');
    out.isAlternate = take('#');
    if (!hasFill && peek() == '0') {
        out.fill = '0';
        if (!out.align)
            out.align = '0';
        ++at;
    }
    number(out.width);
    for (const char separator : {',', '_'})
        if (take(static_cast<char32_t>(separator))) {
            if (out.grouping)
                raise("ValueError", "Cannot specify both ',' and '_'.");
            out.grouping = separator;
        }
    if (out.grouping && (peek() == ',' || peek() == '_') && peek() != static_cast<char32_t>(out.grouping))
        raise("ValueError", "Cannot specify both ',' and '_'.");
    if (take('.') && !number(out.precision))
        raise("ValueError", "Format specifier missing precision");
    if (spec.size() - at > 1)
        raise("ValueError", "Invalid format specifier '" + text + "' for object of type '" + typeName + '\'');
    out.type = peek();
    if (out.grouping) {
        const std::u32string_view withComma = U"defgEG%F", withUnderscore = U"defgEG%FboxX";
        const bool isAllowed =
            out.type == 0 ||
            (out.grouping == ',' ? withComma : withUnderscore).find(out.type) != std::u32string_view::npos;
        if (!isAllowed)
            raise("ValueError",
                  std::string("Cannot specify '") + out.grouping + "' with '" + shown(out.type) + "'.");
    }
    return out;
}

std::string aligned(Evaluator& evaluator, const std::string& text, const FormatSpec& spec, char ownAlign) {
    const int64_t missing = spec.width - static_cast<int64_t>(textLength(text));
    if (missing <= 0)
        return text;
    if (spec.width > kLargeWidth)
        evaluator.reserve(static_cast<uint64_t>(spec.width) * 4);
    const char align = spec.align && spec.align != '0' ? spec.align : ownAlign;
    const int64_t before = align == '<' ? 0 : align == '^' ? missing / 2 : missing;
    std::string out;
    for (int64_t i = 0; i < before; ++i)
        appendCode(out, spec.fill);
    out += text;
    for (int64_t i = before; i < missing; ++i)
        appendCode(out, spec.fill);
    return out;
}

std::string aligned(Evaluator& evaluator, NumberText number, const FormatSpec& spec) {
    const bool isInside = spec.align == '=' || spec.align == '0';
    if (spec.width > kLargeWidth)
        evaluator.reserve(static_cast<uint64_t>(spec.width) * 4);
    const size_t around = number.sign.size() + number.prefix.size() + number.rest.size();
    const bool isBinary = spec.type == 'b' || spec.type == 'o' || spec.type == 'x' || spec.type == 'X';
    // Infinities and NaN have no digits to be grouped.
    if (!number.digits.empty() && (isBinary || std::isdigit(static_cast<unsigned char>(number.digits[0])))) {
        const int64_t width = isInside && spec.fill == '0' ? spec.width - static_cast<int64_t>(around) : 0;
        number.digits = grouped(number.digits, spec.grouping, isBinary ? 4 : 3, width);
    }
    const std::string front = number.sign + number.prefix, back = number.digits + number.rest;
    if (!isInside)
        return aligned(evaluator, front + back, spec, '>');
    FormatSpec inner = spec;
    inner.align = '>';
    inner.width -= static_cast<int64_t>(front.size());
    return front + aligned(evaluator, back, inner, '>');
}

std::string floatDigits(double value, char kind, int64_t precision, bool isAlternate) {
    if (precision < 0)
        precision = 6;
    const std::string pattern = std::string(isAlternate ? "%#.*" : "%.*") + kind;
    const int digits = static_cast<int>(std::min<int64_t>(precision, 1 << 24));
    const int size = std::snprintf(nullptr, 0, pattern.c_str(), digits, value);
    std::string out(static_cast<size_t>(size) + 1, '\0');
    std::snprintf(out.data(), out.size(), pattern.c_str(), digits, value);
    out.pop_back();
    return out;
}

namespace {

/// With a precision but no type: as g, but a float stays to be seen as one.
std::string generalDigits(double value, int64_t precision) {
    precision = std::max<int64_t>(precision, 1);
    std::string out = floatDigits(value, 'e', precision - 1, false);
    const size_t mark = out.find('e');
    const int exponent = std::atoi(out.c_str() + mark + 1);
    const bool isFixed = exponent >= -4 && exponent < precision - 1;
    std::string tail = out.substr(mark);
    if (isFixed) {
        out = floatDigits(value, 'f', precision - 1 - exponent, false);
        tail.clear();
    } else {
        out.resize(mark);
    }
    if (out.find('.') != std::string::npos) {
        out.resize(out.find_last_not_of('0') + 1);
        if (out.back() == '.')
            out.pop_back();
    }
    if (isFixed && out.find('.') == std::string::npos)
        out += ".0";
    return out + tail;
}

std::string signOf(bool isNegative, char wanted) {
    return isNegative ? "-" : wanted == '+' ? "+" : wanted == ' ' ? " " : "";
}

NumberText floatText(Evaluator& evaluator, double value, const FormatSpec& spec) {
    const char32_t type = spec.type;
    if (spec.precision > kLargeWidth)
        evaluator.reserve(static_cast<uint64_t>(spec.precision) * 4);
    NumberText out;
    bool isNegative = std::signbit(value) && !std::isnan(value);
    double size = std::abs(value);
    if (!std::isfinite(value)) {
        out.digits = std::isnan(value) ? "nan" : "inf";
        if (type == 'F' || type == 'E' || type == 'G')
            std::transform(out.digits.begin(), out.digits.end(), out.digits.begin(), ::toupper);
        out.rest = type == '%' ? "%" : "";
    } else {
        if (type == '%')
            size *= 100;
        const char kind = type == '%' ? 'f' : type == 'n' ? 'g' : static_cast<char>(type);
        std::string digits = type != 0             ? floatDigits(size, kind, spec.precision, spec.isAlternate)
                             : spec.precision >= 0 ? generalDigits(size, spec.precision)
                                                   : pythonFloat(size);
        if (type == '%')
            digits += '%';
        const bool isZero = digits.find_first_of("123456789") == std::string::npos ||
                            digits.find_first_of("123456789") > digits.find_first_of("eE");
        if (spec.coercesZero && isZero)
            isNegative = false;
        const size_t point = std::min(digits.find_first_not_of("0123456789"), digits.size());
        out.digits = digits.substr(0, point);
        out.rest = digits.substr(point);
    }
    out.sign = signOf(isNegative, spec.sign);
    return out;
}

std::string formatFloat(Evaluator& evaluator, double value, const FormatSpec& spec) {
    static constexpr std::u32string_view kTypes = U"eEfFgGn%";
    if (spec.type != 0 && kTypes.find(spec.type) == std::u32string_view::npos)
        unknownCode(spec, "float");
    return aligned(evaluator, floatText(evaluator, value, spec), spec);
}

std::string formatInteger(Evaluator& evaluator, const Value& value, const FormatSpec& spec) {
    static constexpr std::u32string_view kFloatTypes = U"eEfFgG%", kTypes = U"bcdonxX";
    if (spec.type != 0 && kFloatTypes.find(spec.type) != std::u32string_view::npos)
        return formatFloat(evaluator, realNumber(value), spec);
    if (spec.type != 0 && kTypes.find(spec.type) == std::u32string_view::npos)
        unknownCode(spec, typeName(value));
    if (spec.precision >= 0)
        raise("ValueError", "Precision not allowed in integer format specifier");
    if (spec.coercesZero)
        raise("ValueError", "Negative zero coercion (z) not allowed in integer format specifier");
    if (spec.type == 'c') {
        if (spec.sign != '-')
            raise("ValueError", "Sign not allowed with integer format specifier 'c'");
        if (spec.isAlternate)
            raise("ValueError", "Alternate form (#) not allowed with integer format specifier 'c'");
        if (!isSmallInt(value) || smallInt(value) < 0 || smallInt(value) > 0x10FFFF)
            raise("OverflowError", "%c arg not in range(0x110000)");
        return aligned(evaluator, shown(static_cast<char32_t>(smallInt(value))), spec, '>');
    }
    const int base = spec.type == 'b'                       ? 2
                     : spec.type == 'o'                     ? 8
                     : spec.type == 'x' || spec.type == 'X' ? 16
                                                            : 10;
    NumberText out;
    out.digits = base == 10 ? integerText(value) : bigIntOf(value).text(base);
    const bool isNegative = out.digits[0] == '-';
    if (isNegative)
        out.digits.erase(0, 1);
    out.sign = signOf(isNegative, spec.sign);
    if (spec.isAlternate && base != 10)
        out.prefix = base == 2 ? "0b" : base == 8 ? "0o" : "0x";
    if (spec.type == 'X') {
        std::transform(out.digits.begin(), out.digits.end(), out.digits.begin(), ::toupper);
        std::transform(out.prefix.begin(), out.prefix.end(), out.prefix.begin(), ::toupper);
    }
    return aligned(evaluator, std::move(out), spec);
}

std::string formatComplex(Evaluator& evaluator, const Value& value, const FormatSpec& spec) {
    static constexpr std::u32string_view kTypes = U"eEfFgGn";
    if (spec.type != 0 && kTypes.find(spec.type) == std::u32string_view::npos)
        unknownCode(spec, "complex");
    if (spec.fill == '0')
        raise("ValueError", "Zero padding is not allowed in complex format specifier");
    if (spec.align == '=')
        raise("ValueError", "'=' alignment flag is not allowed in complex format specifier");
    const auto number = value.data().toComplexDouble();
    const auto part = [&](double x, char sign) {
        FormatSpec inner = spec;
        inner.width = -1;
        inner.align = 0;
        inner.sign = sign;
        std::string text = aligned(evaluator, floatText(evaluator, x, inner), inner);
        return spec.type == 0 && text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
    };
    const bool isImaginary = spec.type == 0 && number.real() == 0 && !std::signbit(number.real());
    std::string text = isImaginary ? part(number.imag(), spec.sign) + 'j'
                                   : part(number.real(), spec.sign) + part(number.imag(), '+') + 'j';
    if (spec.type == 0 && !isImaginary)
        text = '(' + text + ')';
    return aligned(evaluator, text, spec, '>');
}

std::string formatText(Evaluator& evaluator, const std::string& text, const FormatSpec& spec) {
    if (spec.type != 0 && spec.type != 's')
        unknownCode(spec, "str");
    if (spec.sign != '-')
        raise("ValueError", spec.sign == ' ' ? "Space not allowed in string format specifier"
                                             : "Sign not allowed in string format specifier");
    if (spec.coercesZero)
        raise("ValueError", "Negative zero coercion (z) not allowed in string format specifier");
    if (spec.isAlternate)
        raise("ValueError", "Alternate form (#) not allowed in string format specifier");
    if (spec.align == '=')
        raise("ValueError", "'=' alignment not allowed in string format specifier");
    if (spec.grouping)
        raise("ValueError", std::string("Cannot specify '") + spec.grouping + "' with 's'.");
    const std::string cut =
        spec.precision < 0 ? text : std::string(textRange(text, 0, static_cast<size_t>(spec.precision)));
    return aligned(evaluator, cut, spec, '<');
}

} // namespace

std::string formatPlain(Evaluator& evaluator, const Value& value, const std::string& spec) {
    if (spec.empty())
        return evaluator.str(value);
    if (value.isString())
        return formatText(evaluator, value.text(), parseFormatSpec(spec, "str"));
    if (isWhole(value))
        return formatInteger(evaluator, value, parseFormatSpec(spec, "int"));
    if (value.isDouble())
        return formatFloat(evaluator, value.data().toDouble(), parseFormatSpec(spec, "float"));
    if (isComplexNumber(value))
        return formatComplex(evaluator, value, parseFormatSpec(spec, "complex"));
    raise("TypeError", "unsupported format string passed to " + typeName(value) + ".__format__");
}

} // namespace fx
