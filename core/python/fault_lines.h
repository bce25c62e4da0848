// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with one logical line. Part of faults.h.
#pragma once

#include "core/python/tokens.h"

namespace fx {

/// Tokens [first, last) of a source; the end of the line is none of them.
struct TokenRange {
    size_t first, last;
};

inline std::string_view textOf(const SourceFile& file, const Token& token) {
    return std::string_view(file.text).substr(token.begin, token.end - token.begin);
}

/// Throws the SyntaxError.
[[noreturn]] void explainLine(const SourceFile& file, const TokenizedSource& source, const TokenRange& line);

} // namespace fx
