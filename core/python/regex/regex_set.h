// SPDX-License-Identifier: GPL-3.0-or-later
// Sets of characters, as PCRE2 has to write them to mean what Python means: its \s, \w and letters without
// case differ a little, and a set can hold "no word character" beside others.
#pragma once

#include "core/python/regex/regex_flags.h"

#include <string>
#include <vector>

namespace fx {

struct CodeRange {
    char32_t first, last;
};

class RegexSet {
public:
    void add(char32_t first, char32_t last) { m_ranges.push_back({first, last}); }
    /// One of d, D, s, S, w and W.
    void addCategory(char32_t letter) { m_categories += letter; }
    /// An item of a pattern that matches one character: of the set, or none of it.
    std::string text(bool isNegated, RegexMode mode) const;

private:
    std::vector<CodeRange> m_ranges;
    std::u32string m_categories;
};

/// An item of a pattern that matches this character.
std::string literalText(char32_t code, RegexMode mode);
std::string categoryText(char32_t letter, RegexMode mode);
/// \b and \B.
std::string boundaryText(bool isNegated, RegexMode mode, bool isPcreAscii);
/// An item that matches any character at all, and one that matches none.
constexpr const char* kAnyCharacter = "\\p{Any}";
constexpr const char* kNoCharacter = "[^\\p{Any}]";

} // namespace fx
