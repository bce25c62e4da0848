// SPDX-License-Identifier: GPL-3.0-or-later
// Text helpers; the Python forms follow CPython's float_repr_style "short" and unicode_repr.
#include "core/base/text.h"

#include "core/base/unicode.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <unordered_set>

namespace fx {

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (std::optional<std::string_view> rest = text; rest;)
        parts.push_back(takePart(rest, separator));
    return parts;
}

std::string_view takePart(std::optional<std::string_view>& rest, char separator) {
    const std::string_view text = *rest;
    const size_t end = text.find(separator);
    if (end == std::string_view::npos)
        rest.reset();
    else
        rest = text.substr(end + 1);
    return text.substr(0, end);
}

std::string_view trim(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r\n\f\v";
    const size_t first = text.find_first_not_of(kBlank);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

std::string_view parentPath(std::string_view path) {
    const size_t dot = path.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
}

std::string csvQuoted(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    return '"' + replaceAll(text, "\"", "\"\"") + '"';
}

std::string replaceAll(std::string text, std::string_view what, std::string_view with) {
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
    return text;
}

std::string pythonRepr(std::string_view utf8) {
    const char quote = contains(utf8, "'") && !contains(utf8, "\"") ? '"' : '\'';
    std::string out(1, quote);
    for (size_t at = 0; at < utf8.size();) {
        const size_t start = at;
        const CodePoint point = takeCodePoint(utf8, at);
        const char32_t code = point.code;
        if (code == static_cast<char32_t>(quote) || code == '\\')
            out += '\\', out += static_cast<char>(code);
        else if (code == '\n')
            out += "\\n";
        else if (code == '\r')
            out += "\\r";
        else if (code == '\t')
            out += "\\t";
        else if (isPrintable(point))
            out += utf8.substr(start, at - start);
        else
            out += hexEscape(code);
    }
    return out + quote;
}

std::string pythonFloat(double value) {
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value < 0 ? "-inf" : "inf";
    char buffer[40];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
    std::string_view text(buffer, end - buffer);
    std::string sign;
    if (text.front() == '-')
        sign = "-", text.remove_prefix(1);
    const size_t e = text.find('e');
    std::string digits(1, text[0]);
    if (e > 1)
        digits += text.substr(2, e - 2);
    const int exponent = std::atoi(std::string(text.substr(e + 1)).c_str());
    const int count = static_cast<int>(digits.size());
    if (exponent < -4 || exponent >= 16) {
        std::string out = sign + digits[0];
        if (count > 1)
            out += '.' + digits.substr(1);
        char tail[16];
        std::snprintf(tail, sizeof tail, "e%c%02d", exponent < 0 ? '-' : '+', std::abs(exponent));
        return out + tail;
    }
    if (exponent < 0)
        return sign + "0." + std::string(-exponent - 1, '0') + digits;
    if (count <= exponent + 1)
        return sign + digits + std::string(exponent + 1 - count, '0') + ".0";
    return sign + digits.substr(0, exponent + 1) + '.' + digits.substr(exponent + 1);
}

std::string pythonComplex(std::complex<double> value) {
    // Inside a complex, whole numbers lose their ".0", and a positive zero real part is not written.
    const auto part = [](double number) {
        std::string text = pythonFloat(number);
        if (text.ends_with(".0"))
            text.resize(text.size() - 2);
        return text;
    };
    const std::string imaginary = part(value.imag()) + 'j';
    if (value.real() == 0 && !std::signbit(value.real()))
        return imaginary;
    const bool negative = std::signbit(value.imag()) && !std::isnan(value.imag());
    return '(' + part(value.real()) + (negative ? "" : "+") + imaginary + ')';
}

bool isIdentifier(std::string_view text) {
    const auto letter = [](unsigned char c) { return std::isalpha(c) || c == '_' || c >= 0x80; };
    if (text.empty() || !letter(text[0]))
        return false;
    for (unsigned char c : text)
        if (!letter(c) && !std::isdigit(c))
            return false;
    return true;
}

bool isKeyword(std::string_view text) {
    // clang-format off
    static const std::unordered_set<std::string_view> kKeywords = {
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
        "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in",
        "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield"};
    // clang-format on
    return kKeywords.contains(text);
}

namespace {

std::string scaled(double value, const char* const* units, double step) {
    int unit = 0;
    while (value >= step && units[unit + 1]) {
        value /= step;
        ++unit;
    }
    char buffer[32];
    std::snprintf(buffer, sizeof buffer,
                  value < 10 && unit     ? "%.2f"
                  : value < 1000 && unit ? "%.1f"
                                         : "%.0f",
                  value);
    return std::string(buffer) + (*units[unit] ? " " : "") + units[unit];
}

} // namespace

std::string byteText(uint64_t bytes) {
    static const char* const kUnits[] = {"B", "KB", "MB", "GB", "TB", nullptr};
    return scaled(static_cast<double>(bytes), kUnits, 1000);
}

std::string countText(uint64_t count) {
    static const char* const kUnits[] = {"", "K", "M", "G", nullptr};
    return scaled(static_cast<double>(count), kUnits, 1000);
}

std::string plural(uint64_t count, std::string_view noun) {
    return std::to_string(count) + ' ' + std::string(noun) + (count == 1 ? "" : "s");
}

} // namespace fx
