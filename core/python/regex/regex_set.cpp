// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/regex/regex_set.h"

#include "core/python/types/text_units.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <span>

namespace fx {

namespace {

using Ranges = std::span<const CodeRange>;

// str.isspace() and bytes.isspace(); PCRE2 leaves out 0x1C to 0x1F and takes U+180E.
constexpr CodeRange kSpaces[] = {{9, 13},          {0x1C, 0x20},     {0x85, 0x85},     {0xA0, 0xA0},
                                 {0x1680, 0x1680}, {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F},
                                 {0x205F, 0x205F}, {0x3000, 0x3000}};
constexpr CodeRange kAsciiSpaces[] = {{9, 13}, {' ', ' '}};
constexpr CodeRange kAsciiDigits[] = {{'0', '9'}};
constexpr CodeRange kAsciiWords[] = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
// What "\p{Xwd}" is in some versions of PCRE2: later ones count marks too.
constexpr const char* kWordClasses = "\\p{L}\\p{N}_";

/// Letters that Python takes for the same without case, and PCRE2 does not.
constexpr char32_t kSameLetters[][4] = {
    {'I', 'i', 0x130, 0x131}, {0x390, 0x1FD3}, {0x3B0, 0x1FE3}, {0xFB05, 0xFB06}};

bool isSurrogate(char32_t code) {
    return code >= 0xD800 && code < 0xE000;
}

std::vector<CodeRange> complement(Ranges ranges, char32_t last) {
    std::vector<CodeRange> out;
    char32_t next = 0;
    for (const CodeRange& range : ranges) {
        if (range.first > next)
            out.push_back({next, range.first - 1});
        next = range.last + 1;
    }
    out.push_back({next, last});
    return out;
}

std::string codeText(char32_t code, RegexMode mode) {
    const bool isPlain = code < 0x80 && (isalnum(static_cast<int>(code)) || code == '_');
    std::string out;
    if (isPlain || (code >= 0xA0 && !mode.isBytes)) {
        appendCode(out, code);
        return out;
    }
    char escape[16];
    std::snprintf(escape, sizeof escape, "\\x{%x}", static_cast<unsigned>(code));
    return escape;
}

/// Within brackets. Lone surrogates are left out, as no text has them.
void writeRange(std::string& out, char32_t first, char32_t last, RegexMode mode) {
    if (!mode.isBytes && first < 0xE000 && last >= 0xD800) {
        if (first < 0xD800)
            writeRange(out, first, 0xD7FF, mode);
        if (last >= 0xE000)
            writeRange(out, 0xE000, last, mode);
        return;
    }
    out += codeText(first, mode);
    if (last > first)
        out += '-' + codeText(last, mode);
}

void writeRanges(std::string& out, Ranges ranges, RegexMode mode) {
    for (const CodeRange& range : ranges)
        writeRange(out, range.first, range.last, mode);
}

/// The other case of the letters in a range, where PCRE2 is not to find it.
void writeOtherCase(std::string& out, const CodeRange& range, RegexMode mode) {
    if (mode.foldsAscii())
        for (const char32_t base : {U'a', U'A'}) {
            const char32_t first = std::max(range.first, base),
                           last = std::min<char32_t>(range.last, base + 25);
            if (first <= last)
                writeRange(out, first ^ 0x20, last ^ 0x20, mode);
        }
    if (!mode.foldsByPcre() || mode.isBytes)
        return;
    for (const auto& same : kSameLetters)
        if (std::any_of(std::begin(same), std::end(same),
                        [&](char32_t code) { return code && code >= range.first && code <= range.last; }))
            for (const char32_t code : same)
                if (code)
                    writeRange(out, code, code, mode);
}

/// Within brackets; empty for what cannot stand there.
std::string categoryInside(char32_t letter, RegexMode mode) {
    const bool isNegated = letter < 'a';
    const char32_t kind = letter | 0x20;
    if (!mode.isAscii() && kind == 'd')
        return isNegated ? "\\P{Nd}" : "\\p{Nd}";
    if (!mode.isAscii() && kind == 'w')
        return isNegated ? "" : kWordClasses;
    const Ranges ranges = kind == 'd'      ? Ranges(kAsciiDigits)
                          : kind == 'w'    ? Ranges(kAsciiWords)
                          : mode.isAscii() ? Ranges(kAsciiSpaces)
                                           : Ranges(kSpaces);
    std::string out;
    if (isNegated)
        writeRanges(out, complement(ranges, mode.isBytes ? 0xFF : 0x10FFFF), mode);
    else
        writeRanges(out, ranges, mode);
    return out;
}

std::string brackets(const std::string& inside, bool isNegated) {
    return (isNegated ? "[^" : "[") + inside + ']';
}

} // namespace

std::string RegexSet::text(bool isNegated, RegexMode mode) const {
    std::string inside;
    for (const CodeRange& range : m_ranges) {
        writeRange(inside, range.first, range.last, mode);
        writeOtherCase(inside, range, mode);
    }
    bool hasOthers = false; // all but the word characters
    for (const char32_t letter : m_categories) {
        const std::string part = categoryInside(letter, mode);
        inside += part;
        hasOthers |= part.empty();
    }
    if (hasOthers) {
        const std::string others = brackets(kWordClasses, !isNegated);
        if (inside.empty())
            return others;
        return isNegated ? "(?:(?=" + others + ')' + brackets(inside, true) + ')'
                         : "(?:" + others + '|' + brackets(inside, false) + ')';
    }
    if (inside.empty())
        return isNegated ? kAnyCharacter : kNoCharacter;
    return brackets(inside, isNegated);
}

std::string literalText(char32_t code, RegexMode mode) {
    if (!mode.isBytes && isSurrogate(code))
        return kNoCharacter;
    std::string cases;
    writeOtherCase(cases, {code, code}, mode);
    const std::string own = codeText(code, mode);
    return cases.empty() ? own : '[' + own + cases + ']';
}

std::string categoryText(char32_t letter, RegexMode mode) {
    RegexSet set;
    set.addCategory(letter);
    return set.text(false, mode);
}

std::string boundaryText(bool isNegated, RegexMode mode, bool isPcreAscii) {
    // In an empty text Python finds neither.
    if (mode.isAscii() == isPcreAscii)
        return isNegated ? "(?:\\B(?!\\A\\z))" : "\\b";
    const std::string word = categoryText('w', mode);
    const std::string before = "(?<=" + word + ')', notBefore = "(?<!" + word + ')';
    const std::string after = "(?=" + word + ')', notAfter = "(?!" + word + ')';
    return isNegated ? "(?:" + before + after + "|(?!\\A\\z)" + notBefore + notAfter + ')'
                     : "(?:" + before + notAfter + '|' + notBefore + after + ')';
}

} // namespace fx
