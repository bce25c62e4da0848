// SPDX-License-Identifier: GPL-3.0-or-later
// The groups of a pattern while it is read: their names, which are closed, how much of a text each matches.
#pragma once

#include "core/python/regex/regex_tokens.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace fx {

/// How many characters an item of a pattern matches.
struct RegexWidth {
    static constexpr uint64_t kUnlimited = 0xFFFFFFFF;
    uint64_t least = 0, most = 0;

    bool isFixed() const { return least == most; }
    RegexWidth then(RegexWidth other) const;
    RegexWidth orElse(RegexWidth other) const;
    RegexWidth times(uint64_t fewest, uint64_t largest) const;
};

class RegexGroups {
public:
    using Names = std::vector<std::pair<std::string, int>>;

    int count() const { return static_cast<int>(m_widths.size()); }
    const Names& names() const { return m_names; }
    /// In the order in which the groups end.
    const std::vector<int>& closed() const { return m_closed; }

    int open(const std::u32string& name, const RegexTokens& tokens);
    void close(int group, RegexWidth width);
    /// Where a group is spoken of that is to be closed before; the fault lies so many codes back.
    RegexWidth referred(int group, const RegexTokens& tokens, size_t before) const;
    /// The number behind a name.
    int find(const std::u32string& name, const RegexTokens& tokens) const;

    /// `(?(2)`, which may stand before group 2 does.
    void addCondition(int group, const RegexTokens& tokens, size_t place);
    /// Fails for the first that no group answers.
    void checkConditions() const;

    /// From now on a look-behind is read; what is to be given to leaveLookbehind.
    bool enterLookbehind();
    void leaveLookbehind(bool wasFirst);

private:
    bool isClosed(int group) const { return group <= count() && m_widths[static_cast<size_t>(group) - 1]; }
    void checkLookbehind(int group, const RegexTokens& tokens) const;

    std::vector<std::optional<RegexWidth>> m_widths; ///< of group 1, 2 ...; none while it is open
    std::vector<int> m_closed;
    Names m_names;
    std::vector<std::pair<int, size_t>> m_conditions; ///< with the place
    std::optional<int> m_lookbehind;                  ///< the first group within the outermost one
};

} // namespace fx
