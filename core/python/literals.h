// SPDX-License-Identifier: GPL-3.0-or-later
// The values that Python's number and string literals stand for.
#pragma once

#include "core/python/value.h"

#include <string>
#include <string_view>

namespace fx {

/// "1_000", "0x1F", "2.5e3", "3j": an int of any size, a float or a complex. The text is a sound literal.
Value numberLiteral(std::string_view text);

/// What a literal's content turns to, or what is wrong with it and at which byte of it.
struct Unescaped {
    std::string text;
    std::string fault;       ///< empty: nothing
    std::string unknownName; ///< of a character in \N{...} that is none of the common ones
    size_t at = 0;
};
/// The text between the quotes with its escapes resolved; of bytes only those escapes that bytes have.
Unescaped unescaped(std::string_view content, bool isBytes = false);

} // namespace fx
