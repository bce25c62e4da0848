// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/regex/regex_groups.h"

#include "core/python/regex/regex_error.h"
#include "core/python/types/text_units.h"

#include <algorithm>

namespace fx {

namespace {

constexpr uint64_t kMostWidth = RegexWidth::kUnlimited;

uint64_t boundedProduct(uint64_t a, uint64_t b) {
    return b != 0 && a > kMostWidth / b ? kMostWidth : a * b;
}

} // namespace

RegexWidth RegexWidth::then(RegexWidth other) const {
    return {std::min(least + other.least, kMostWidth - 1), std::min(most + other.most, kMostWidth)};
}
RegexWidth RegexWidth::orElse(RegexWidth other) const {
    return {std::min(least, other.least), std::max(most, other.most)};
}
RegexWidth RegexWidth::times(uint64_t fewest, uint64_t largest) const {
    return {std::min(boundedProduct(least, fewest), kMostWidth - 1), boundedProduct(most, largest)};
}

int RegexGroups::open(const std::u32string& name, const RegexTokens& tokens) {
    m_widths.emplace_back();
    if (name.empty())
        return count();
    const std::string key = encodeText(name);
    for (const auto& [known, group] : m_names)
        if (known == key)
            tokens.fail("redefinition of group name " + quotedName(name) + " as group " +
                            std::to_string(count()) + "; was group " + std::to_string(group),
                        name.size() + 1);
    m_names.emplace_back(key, count());
    return count();
}

void RegexGroups::close(int group, RegexWidth width) {
    m_widths[static_cast<size_t>(group) - 1] = width;
    m_closed.push_back(group);
}

RegexWidth RegexGroups::referred(int group, const RegexTokens& tokens, size_t before) const {
    if (!isClosed(group))
        tokens.fail("cannot refer to an open group", before);
    checkLookbehind(group, tokens);
    return *m_widths[static_cast<size_t>(group) - 1];
}

int RegexGroups::find(const std::u32string& name, const RegexTokens& tokens) const {
    const std::string key = encodeText(name);
    const auto found = std::ranges::find(m_names, key, &Names::value_type::first);
    if (found == m_names.end())
        tokens.fail("unknown group name " + quotedName(name), name.size() + 1);
    return found->second;
}

void RegexGroups::addCondition(int group, const RegexTokens& tokens, size_t place) {
    if (std::ranges::find(m_conditions, group, &std::pair<int, size_t>::first) == m_conditions.end())
        m_conditions.emplace_back(group, place);
    checkLookbehind(group, tokens);
}

void RegexGroups::checkConditions() const {
    for (const auto& [group, place] : m_conditions)
        if (group > count())
            throw RegexError(RegexFault::Syntax, "invalid group reference " + std::to_string(group), place);
}

bool RegexGroups::enterLookbehind() {
    if (m_lookbehind)
        return false;
    m_lookbehind = count() + 1;
    return true;
}

void RegexGroups::leaveLookbehind(bool wasFirst) {
    if (wasFirst)
        m_lookbehind.reset();
}

void RegexGroups::checkLookbehind(int group, const RegexTokens& tokens) const {
    if (!m_lookbehind)
        return;
    if (!isClosed(group))
        tokens.fail("cannot refer to an open group");
    if (group >= *m_lookbehind)
        tokens.fail("cannot refer to group defined in the same lookbehind subpattern");
}

} // namespace fx
