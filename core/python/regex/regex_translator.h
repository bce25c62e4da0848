// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a pattern of Python and writes the one of PCRE2 that means the same. What Python refuses is refused
// in its words. The sequence and what repeats are in regex_translator.cpp, "\" in regex_escapes.cpp, "(?" in
// regex_extensions.cpp, sets in regex_set.h.
//
// Into the pattern go callouts, which regex_pattern.cpp counts its work by: "(?C1)" where PCRE2 may come many
// times, "(?C2)" before what compares with a group.
#pragma once

#include "core/python/regex/regex_flags.h"
#include "core/python/regex/regex_groups.h"

#include <string>
#include <vector>

namespace fx {

struct RegexTranslation {
    std::string text; ///< to be compiled as multiline, where "^" also holds after the last newline
    int flags = 0;    ///< those of the argument and those of the pattern
    bool isBytes = false;
    int groups = 0;
    RegexGroups::Names names;
    /// Of groups that matched, the last one here is Match.lastindex. Empty: a mark of PCRE2 names it.
    std::vector<int> closingOrder;
};

/// Throws RegexError.
RegexTranslation translateRegex(std::string_view pattern, int flags, bool isBytes);

/// One run over a pattern.
class RegexTranslator {
public:
    RegexTranslator(std::string_view pattern, int flags, bool isBytes, bool hasMarks)
        : m_tokens(pattern, isBytes), m_flags(flags), m_isBytes(isBytes), m_hasMarks(hasMarks) {}
    RegexTranslation translate();
    /// Two groups can end by turns, so that their order in the pattern does not tell which was last.
    bool needsMarks() const { return m_needsMarks; }

private:
    using Token = RegexTokens::Token;

    struct Part {
        std::string text;
        RegexWidth width;
        int captures = 0; ///< groups within
    };
    struct Item : Part {
        enum Kind { Place, Repeat, Other } kind = Other;
        bool countsWork = false; ///< by callouts of its own
    };
    using Items = std::vector<Item>;

    RegexMode mode(int flags) const { return {flags, m_isBytes}; }
    Part alternatives(int flags, int depth);
    Part sequence(int& flags, int depth, bool isFirst);
    bool skipsBlank(Token token);
    void addItem(Items& items, Token token, int& flags, int depth, bool isFirst);
    void addRepeat(Items& items, char32_t sign, RegexMode mode);
    static std::string repeated(const Item& item, uint64_t least, uint64_t most, char ending);
    static Item one(std::string text) { return {{std::move(text), {1, 1}, 0}, Item::Other, false}; }
    static Item place(std::string text) { return {{std::move(text), {}, 0}, Item::Place, false}; }

    Item set(RegexMode mode);
    Item escape(Token token, RegexMode mode);
    /// \n, \x41, \u00e9: the code; none for other escapes.
    std::optional<char32_t> codeEscape(Token token);
    /// In a set: a code, or the letter of a category.
    std::pair<char32_t, bool> setEscape(Token token);
    char32_t octal(const std::u32string& digits, size_t size) const;
    Item reference(int group, size_t before, RegexMode mode);

    void addGroup(Items& items, int& flags, int depth, bool isFirst);
    Item captured(const std::u32string& name, size_t start, int flags, int depth);
    Item lookaround(char32_t sign, size_t start, int flags, int depth);
    Item condition(size_t start, int flags, int depth);
    void skipComment(size_t start);
    struct FlagChange {
        int added = 0, removed = 0;
        bool isGlobal = false; ///< "(?i)"
    };
    /// From that token on, to ")" or ":".
    FlagChange flagChange(Token token);
    int flagNamed(Token token, const char* missing) const;
    Token need(); ///< the next token within "(?"
    void closeBracket(size_t start);
    void checkName(const std::u32string& name) const;

    RegexTokens m_tokens;
    RegexGroups m_groups;
    int m_flags;
    const bool m_isBytes;
    const bool m_hasMarks;
    bool m_needsMarks = false;
    bool m_hasVaryingLookbehind = false;
};

} // namespace fx
