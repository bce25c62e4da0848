// SPDX-License-Identifier: GPL-3.0-or-later
// A compiled pattern of Python, and matching with it. PCRE2 is known here alone; regex_translator.h writes
// its pattern.
#pragma once

#include "core/python/regex/regex_text.h"
#include "core/python/regex/regex_translator.h"

#include <memory>
#include <optional>

namespace fx {

struct RegexMatch {
    static constexpr size_t kUnset = SIZE_MAX;
    std::vector<std::pair<size_t, size_t>> spans; ///< in bytes: all of it, group 1, group 2 ...
    int lastGroup = 0;                            ///< that ended last; 0 for none
};

enum class RegexAnchor { Anywhere, Start, Both };

class RegexPattern {
public:
    /// Throws RegexError. `flags` are those of module re.
    RegexPattern(std::string_view pattern, int flags, bool isBytes);
    ~RegexPattern();
    RegexPattern(const RegexPattern&) = delete;
    RegexPattern& operator=(const RegexPattern&) = delete;

    int flags() const { return m_translation.flags; }
    int groups() const { return m_translation.groups; }
    bool isBytes() const { return m_translation.isBytes; }
    const RegexGroups::Names& names() const { return m_translation.names; }

private:
    friend class RegexSearch;

    RegexTranslation m_translation;
    void* m_code = nullptr; ///< a pcre2_code
};

/// Looks for matches in one text, one after the other.
class RegexSearch {
public:
    /// From byte `from` to `end`, which is the end of the text to the pattern; what lies before `from` can be
    /// looked at.
    RegexSearch(const RegexPattern& pattern, const RegexText& text, size_t from, size_t end);
    ~RegexSearch();
    RegexSearch(const RegexSearch&) = delete;
    RegexSearch& operator=(const RegexSearch&) = delete;

    /// The next match; none behind the last. Throws RegexError where it takes too much work.
    std::optional<RegexMatch> next(RegexAnchor anchor = RegexAnchor::Anywhere);
    /// What was done since this was asked before: about a step of a program each.
    uint64_t takeWork();

private:
    RegexMatch found() const;

    const RegexPattern& m_pattern;
    const RegexText& m_text;
    size_t m_from, m_end;
    bool m_isPastEmpty = false; ///< an empty match at m_from was found already
    uint64_t m_work = 0;
    void* m_data; ///< a pcre2_match_data
};

} // namespace fx
