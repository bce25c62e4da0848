// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/pickle/pickle_literals.h"

#include <charconv>
#include <cstdlib>

namespace fx {

namespace {

std::optional<uint32_t> hexadecimal(std::string_view digits, size_t count) {
    uint32_t out = 0;
    if (digits.size() < count)
        return std::nullopt;
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + count, out, 16);
    return status == std::errc() && end == digits.data() + count ? std::optional(out) : std::nullopt;
}

void appendUtf8(std::string& out, uint32_t letter) {
    if (letter < 0x80) {
        out += static_cast<char>(letter);
    } else if (letter < 0x800) {
        out += static_cast<char>(0xC0 | letter >> 6);
        out += static_cast<char>(0x80 | (letter & 0x3F));
    } else if (letter < 0x10000) {
        out += static_cast<char>(0xE0 | letter >> 12);
        out += static_cast<char>(0x80 | (letter >> 6 & 0x3F));
        out += static_cast<char>(0x80 | (letter & 0x3F));
    } else {
        out += static_cast<char>(0xF0 | letter >> 18);
        out += static_cast<char>(0x80 | (letter >> 12 & 0x3F));
        out += static_cast<char>(0x80 | (letter >> 6 & 0x3F));
        out += static_cast<char>(0x80 | (letter & 0x3F));
    }
}

} // namespace

std::optional<std::string> quotedPickleText(std::string_view line) {
    if (line.size() < 2 || line.front() != line.back() || (line.front() != '\'' && line.front() != '"'))
        return std::nullopt;
    line = line.substr(1, line.size() - 2);
    std::string out;
    for (size_t i = 0; i < line.size(); ++i) {
        if (line[i] != '\\') {
            out += line[i];
            continue;
        }
        if (++i == line.size())
            return std::nullopt;
        switch (line[i]) {
        case 'n':
            out += '\n';
            break;
        case 't':
            out += '\t';
            break;
        case 'r':
            out += '\r';
            break;
        case 'x': {
            const auto byte = hexadecimal(line.substr(i + 1), 2);
            if (!byte)
                return std::nullopt;
            out += static_cast<char>(*byte);
            i += 2;
            break;
        }
        case '\\':
        case '\'':
        case '"':
            out += line[i];
            break;
        default:
            (out += '\\') += line[i];
        }
    }
    return out;
}

std::optional<std::string> rawPickleText(std::string_view line) {
    std::string out;
    for (size_t i = 0; i < line.size(); ++i) {
        const bool isEscape =
            line[i] == '\\' && i + 1 < line.size() && (line[i + 1] == 'u' || line[i + 1] == 'U');
        if (!isEscape) {
            // What is no escape is Latin-1.
            appendUtf8(out, static_cast<unsigned char>(line[i]));
            continue;
        }
        const size_t digits = line[i + 1] == 'u' ? 4 : 8;
        const auto letter = hexadecimal(line.substr(i + 2), digits);
        if (!letter || *letter > 0x10FFFF)
            return std::nullopt;
        appendUtf8(out, *letter);
        i += 1 + digits;
    }
    return out;
}

std::optional<std::variant<int64_t, std::string>> pickleInteger(std::string_view line) {
    if (line.ends_with('L'))
        line.remove_suffix(1);
    int64_t value = 0;
    const char* begin = line.data();
    const char* const end = begin + line.size();
    const auto [stop, status] = std::from_chars(begin, end, value);
    if (stop != end || line.empty() || status == std::errc::invalid_argument)
        return std::nullopt;
    if (status == std::errc::result_out_of_range)
        return std::string(line);
    return value;
}

std::optional<double> pickleFloat(std::string_view line) {
    const std::string text(line);
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return !text.empty() && *end == '\0' ? std::optional(value) : std::nullopt;
}

std::string hexadecimalLong(std::string_view bytes) {
    const bool isNegative = !bytes.empty() && (bytes.back() & 0x80);
    std::string digits;
    unsigned carry = 1;
    for (char c : bytes) {
        unsigned byte = static_cast<unsigned char>(c);
        if (isNegative) {
            byte = (~byte & 0xFF) + carry;
            carry = byte >> 8;
            byte &= 0xFF;
        }
        digits += "0123456789abcdef"[byte & 0xF];
        digits += "0123456789abcdef"[byte >> 4];
    }
    const size_t last = digits.find_last_not_of('0');
    digits.resize(last == std::string::npos ? 0 : last + 1);
    if (digits.empty())
        digits = "0";
    return (isNegative ? "-0x" : "0x") + std::string(digits.rbegin(), digits.rend());
}

} // namespace fx
