// SPDX-License-Identifier: GPL-3.0-or-later
// Text by code points: a str is UTF-8 inside, and counts, slices and classes of characters go by its code
// points.
#pragma once

#include <string>
#include <string_view>

namespace fx {

bool isAscii(std::string_view text);
/// The number of code points.
size_t textLength(std::string_view text);
/// Where code point `index` begins; the text's size for those past the end.
size_t byteOffset(std::string_view text, size_t index);
/// Which code point begins at that byte.
size_t textIndex(std::string_view text, size_t byte);
/// Code points [begin, end).
std::string_view textRange(std::string_view text, size_t begin, size_t end);
/// The bytes of the code point that starts at `at`, at least 1.
size_t unitSize(std::string_view text, size_t at);

std::u32string decodeText(std::string_view utf8);
std::string encodeText(std::u32string_view text);
void appendCode(std::string& out, char32_t code);

char32_t upperCode(char32_t code);
char32_t lowerCode(char32_t code);
bool isSpaceCode(char32_t code);
bool isAlphaCode(char32_t code);
bool isDecimalCode(char32_t code);
/// 0 to 9, of a decimal digit of any script.
char32_t decimalValue(char32_t code);
bool isUpperCode(char32_t code);
bool isLowerCode(char32_t code);
bool isPrintableCode(char32_t code);
/// A mark upon the letter before it.
bool isCombiningCode(char32_t code);

} // namespace fx
