// SPDX-License-Identifier: GPL-3.0-or-later
// Why a source cannot be read, in Python's words. tree-sitter only knows that it cannot: the line at fault is
// found by reading the lines one by one, then fault_lines.h looks for what people get wrong most.
#pragma once

#include "core/python/tokens.h"

namespace fx {

/// Throws the SyntaxError; tree-sitter first stumbled at byte `at`.
[[noreturn]] void explainFault(const SourceFile& file, const TokenizedSource& source, uint32_t at);

/// Throws the SyntaxError of the first line from byte `from` on that is wrong by itself or where it stands,
/// if there is one; `source` may be the beginning of the source only.
void explainLines(const SourceFile& file, const TokenizedSource& source, uint32_t from);

} // namespace fx
