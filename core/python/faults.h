// SPDX-License-Identifier: GPL-3.0-or-later
// Why a source cannot be read, in Python's words. tree-sitter only knows that it cannot: the line at fault is
// found by reading the lines one by one, then fault_lines.h looks for what people get wrong most.
#pragma once

#include "core/python/tokens.h"

namespace fx {

/// Throws the SyntaxError; nothing before byte `at` is wrong.
[[noreturn]] void explainFault(const SourceFile& file, const TokenizedSource& source, uint32_t at);

} // namespace fx
