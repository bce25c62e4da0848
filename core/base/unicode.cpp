// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/unicode.h"

#include <algorithm>
#include <cstdio>

namespace fx {

CodePoint takeCodePoint(std::string_view utf8, size_t& at) {
    const auto lead = static_cast<unsigned char>(utf8[at++]);
    const size_t more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC2 ? 1 : 0;
    if (lead < 0x80)
        return {lead, true};
    if (more == 0 || lead > 0xF4 || at + more > utf8.size())
        return {lead, false};
    char32_t code = lead & (0x3F >> more);
    for (size_t i = 0; i < more; ++i) {
        const auto next = static_cast<unsigned char>(utf8[at + i]);
        if ((next & 0xC0) != 0x80)
            return {lead, false};
        code = code << 6 | (next & 0x3F);
    }
    static constexpr char32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
    if (code < kLeast[more] || code > 0x10FFFF)
        return {lead, false};
    at += more;
    return {code, true};
}

bool isPrintable(CodePoint point) {
    const char32_t code = point.code;
    if (!point.isValid || code < 0x20 || code == 0x7F)
        return false;
    const bool isHidden =
        (code >= 0x80 && code <= 0xA0) || code == 0xAD || (code >= 0x600 && code <= 0x605) || code == 0x61C ||
        code == 0x6DD || code == 0x70F || code == 0x1680 || code == 0x180E ||
        (code >= 0x2000 && code <= 0x200F) || (code >= 0x2028 && code <= 0x202F) ||
        (code >= 0x205F && code <= 0x206F) || code == 0x3000 || (code >= 0xD800 && code <= 0xF8FF) ||
        code == 0xFEFF || (code >= 0xFFF0 && code <= 0xFFFB) || code == 0xFFFE || code == 0xFFFF ||
        (code >= 0x1D173 && code <= 0x1D17A) || code >= 0xE0000;
    return !isHidden;
}

std::string hexEscape(char32_t code) {
    char buffer[16];
    const char* form = code <= 0xFF ? "\\x%02x" : code <= 0xFFFF ? "\\u%04x" : "\\U%08x";
    std::snprintf(buffer, sizeof buffer, form, static_cast<unsigned>(code));
    return buffer;
}

namespace {

bool isPlainAscii(unsigned char c) {
    return c >= 0x20 && c < 0x7F;
}

/// Whether it does something to a terminal, a line or the direction of a text. Letters that are merely
/// invisible stay, as torch.fx prints them.
bool controls(CodePoint point) {
    const char32_t code = point.code;
    return !point.isValid || (code < 0x20 && code != '\t') || (code >= 0x7F && code <= 0x9F) ||
           code == 0x61C || code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069) || (code >= 0xD800 && code <= 0xDFFF);
}

/// The text with what `keeps` does not take as its escape.
template <class Keeps>
std::string escaped(std::string_view text, const Keeps& keeps) {
    if (std::all_of(text.begin(), text.end(), [](unsigned char c) { return isPlainAscii(c); }))
        return std::string(text);
    std::string out;
    for (size_t at = 0; at < text.size();) {
        const size_t start = at;
        const CodePoint point = takeCodePoint(text, at);
        if (keeps(point))
            out += text.substr(start, at - start);
        else
            out += point.code == '\n' ? "\\n" : point.code == '\r' ? "\\r" : hexEscape(point.code);
    }
    return out;
}

} // namespace

std::string oneLine(std::string_view text) {
    return escaped(text, [](CodePoint point) { return !controls(point); });
}

std::string shownLines(std::string_view text) {
    return escaped(text, [](CodePoint point) { return !controls(point) || point.code == '\n'; });
}

std::string validUtf8(std::string_view text) {
    return escaped(
        text, [](CodePoint point) { return point.isValid && (point.code < 0xD800 || point.code > 0xDFFF); });
}

} // namespace fx
