// SPDX-License-Identifier: GPL-3.0-or-later
// Why a source cannot be read, in Python's words.
#pragma once

#include "core/python/tokens.h"

namespace fx {

/// Throws the SyntaxError for what stands around byte `at`, the first that tree-sitter could make nothing of.
[[noreturn]] void explainFault(const SourceFile& file, const TokenizedSource& source, uint32_t at);

} // namespace fx
