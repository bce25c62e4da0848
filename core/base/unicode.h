// SPDX-License-Identifier: GPL-3.0-or-later
// UTF-8 of files that are not trusted: its code points, and text that is shown to people.
#pragma once

#include <string>
#include <string_view>

namespace fx {

struct CodePoint {
    char32_t code = 0;
    bool isValid = false; ///< a byte that belongs to no code point stands for itself, and is not
};

/// The code point of `utf8` at `at`, which moves past it. Lone surrogates, as Python's strings may hold them,
/// are taken as they are encoded.
CodePoint takeCodePoint(std::string_view utf8, size_t& at);
/// Whether Python prints it as it is; it escapes control characters, marks of direction and private ones.
bool isPrintable(CodePoint point);
/// "\x1b", "\u202e", "\U000e0001".
std::string hexEscape(char32_t code);

/// The text as it may be shown in one line of a terminal: what controls one is escaped as Python escapes it.
std::string oneLine(std::string_view text);
/// The same for several lines.
std::string shownLines(std::string_view text);
/// The text with each byte that is no UTF-8 as its escape, and lone surrogates too: files of text hold it.
std::string validUtf8(std::string_view text);

} // namespace fx
