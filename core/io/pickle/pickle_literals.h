// SPDX-License-Identifier: GPL-3.0-or-later
// How protocol 0 of pickle writes strings and numbers: as lines of text with Python's escapes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace fx {

/// 'it\'s \x41' with its quotes, as repr() writes a str of Python 2; none where it is no such text.
std::optional<std::string> quotedPickleText(std::string_view line);
/// raw-unicode-escape: \u00e9 and \U0001f600 stand for letters, all else for itself; none for half an escape.
std::optional<std::string> rawPickleText(std::string_view line);
/// "-12" or "12L"; digits alone where it takes more than 64 bits; none where it is no int.
std::optional<std::variant<int64_t, std::string>> pickleInteger(std::string_view line);
/// "1e-05", "inf"; none where it is no float.
std::optional<double> pickleFloat(std::string_view line);
/// Little-endian two's complement, as binary pickles hold long ints, in hexadecimal.
std::string hexadecimalLong(std::string_view bytes);

} // namespace fx
