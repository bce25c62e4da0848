// SPDX-License-Identifier: GPL-3.0-or-later
// The two kinds of token with rules of their own: numbers and strings. Part of tokens.h.
#pragma once

#include "core/python/syntax/tokens.h"

namespace fx {

/// Where the quotes of a literal begin whose prefix begins at `at`; npos where no string begins.
size_t stringPrefix(std::string_view text, size_t at);
/// The end of the literal that begins at `at` with its quotes at `quote`. Adds the values of an f-string.
size_t stringEnd(const SourceFile& file, size_t at, size_t quote, std::vector<FormatValue>& values);
/// The end of the number that begins at `at`.
size_t numberEnd(const SourceFile& file, size_t at);
/// "U+00A0": the character that a text begins with.
std::string codePointText(std::string_view text);

} // namespace fx
