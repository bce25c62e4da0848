// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/regex/regex_text.h"

#include "core/python/regex/regex_error.h"
#include "core/python/types/text_units.h"

#include <algorithm>

namespace fx {

namespace {

/// PCRE2 is told that all is well-formed, so nothing else may pass.
void checkUtf8(std::string_view text) {
    for (size_t at = 0; at < text.size();) {
        const auto lead = static_cast<unsigned char>(text[at]);
        const size_t size = unitSize(text, at);
        const size_t wanted = lead < 0x80   ? 1
                              : lead < 0xC2 ? 0
                              : lead < 0xE0 ? 2
                              : lead < 0xF0 ? 3
                              : lead < 0xF5 ? 4
                                            : 0;
        const char32_t code = size == wanted && size > 1 ? decodeText(text.substr(at, size))[0] : 0;
        constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
        if (size != wanted || (size > 1 && code < kLeast[size]) || code > 0x10FFFF ||
            (code >= 0xD800 && code < 0xE000))
            throw RegexError(RegexFault::Unsupported, "a regular expression on a text with lone surrogates");
        at += size;
    }
}

} // namespace

RegexText::RegexText(std::string_view text, bool isBytes)
    : m_text(text), m_isBytes(isBytes), m_length(text.size()) {
    if (isBytes || isAscii(text))
        return;
    checkUtf8(text);
    m_length = 0;
    for (size_t at = 0; at < text.size(); at += unitSize(text, at))
        if (m_length++ % kStride == 0)
            m_starts.push_back(at);
}

size_t RegexText::byteOf(size_t index) const {
    if (index >= m_length)
        return m_text.size();
    if (m_starts.empty())
        return index;
    const size_t start = m_starts[index / kStride];
    return start + byteOffset(m_text.substr(start), index % kStride);
}

size_t RegexText::indexOf(size_t byte) const {
    if (m_starts.empty())
        return byte;
    const auto after = std::ranges::upper_bound(m_starts, byte);
    const auto block = static_cast<size_t>(after - m_starts.begin()) - 1;
    return block * kStride + textLength(m_text.substr(m_starts[block], byte - m_starts[block]));
}

std::string_view RegexText::part(size_t begin, size_t end) const {
    const size_t from = byteOf(begin);
    return m_text.substr(from, byteOf(end) - from);
}

} // namespace fx
