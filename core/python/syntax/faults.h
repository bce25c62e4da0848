// SPDX-License-Identifier: GPL-3.0-or-later
// Why a source cannot be read, in Python's words. The parser itself says what it knows where it is; where it
// only knows that a token does not fit, the line is searched for what people get wrong most.
#pragma once

#include "core/python/syntax/tokens.h"

namespace fx {

/// Throws the SyntaxError; `prefix` goes before its words.
[[noreturn]] void explainStumble(const SourceFile& file, const TokenizedSource& source, size_t token,
                                 const std::string& prefix = {});

} // namespace fx
