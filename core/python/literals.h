// SPDX-License-Identifier: GPL-3.0-or-later
// The values that Python's number and string literals stand for.
#pragma once

#include "core/ir/argument.h"

#include <optional>
#include <string>
#include <string_view>

namespace fx {

/// "1_000", "0x1F", "2.5e3", "3j". None for an int beyond 64 bits.
std::optional<Argument> numberLiteral(std::string_view text);
/// The text between the quotes with its escapes resolved.
std::string unescaped(std::string_view content);

} // namespace fx
