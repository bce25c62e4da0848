// SPDX-License-Identifier: GPL-3.0-or-later
// The flags of module re, and what they mean at one place of a pattern.
#pragma once

namespace fx {

enum RegexFlag : int {
    kRegexTemplate = 1,
    kRegexIgnoreCase = 2,
    kRegexLocale = 4,
    kRegexMultiline = 8,
    kRegexDotAll = 16,
    kRegexUnicode = 32,
    kRegexVerbose = 64,
    kRegexDebug = 128,
    kRegexAscii = 256,
};
/// Of these a pattern has one.
constexpr int kRegexTypeFlags = kRegexAscii | kRegexLocale | kRegexUnicode;

struct RegexMode {
    int flags = 0;
    bool isBytes = false;

    bool has(RegexFlag flag) const { return (flags & flag) != 0; }
    /// \w, \d, \s and the cases of letters are those of ASCII. That is the locale "C", too.
    bool isAscii() const { return isBytes || has(kRegexAscii); }
    /// PCRE2 may compare letters without case: in a str it would go beyond ASCII.
    bool foldsByPcre() const { return has(kRegexIgnoreCase) && (isBytes || !has(kRegexAscii)); }
    bool foldsAscii() const { return has(kRegexIgnoreCase) && !foldsByPcre(); }
};

} // namespace fx
