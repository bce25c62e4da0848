// SPDX-License-Identifier: GPL-3.0-or-later
// A text that is searched: well-formed UTF-8, in which code points and bytes are found from each other
// quickly; or bytes.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace fx {

class RegexText {
public:
    /// The text stays the caller's. Throws RegexError for a str with lone surrogates.
    RegexText(std::string_view text, bool isBytes);

    std::string_view text() const { return m_text; }
    bool isBytes() const { return m_isBytes; }
    /// In code points.
    size_t length() const { return m_length; }
    /// Where code point `index` begins; the end for those past it.
    size_t byteOf(size_t index) const;
    /// Which code point begins at that byte.
    size_t indexOf(size_t byte) const;
    /// Code points [begin, end).
    std::string_view part(size_t begin, size_t end) const;

private:
    static constexpr size_t kStride = 64;

    std::string_view m_text;
    bool m_isBytes;
    size_t m_length;
    std::vector<size_t> m_starts; ///< of each 64th code point; none where each is a byte
};

} // namespace fx
