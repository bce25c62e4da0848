// SPDX-License-Identifier: GPL-3.0-or-later
// Python's own lexical rules, which tree-sitter's grammar knows roughly: indentation, brackets, numbers,
// strings, characters. What breaks them is refused here, before tree-sitter sees it; faults.h explains what
// it then cannot read.
#pragma once

#include "core/python/tree.h"

namespace fx {

struct Token {
    enum class Kind : uint8_t { Name, Number, String, Operator, Newline };
    Kind kind;
    uint32_t begin, end;
    uint32_t depth; ///< how many brackets are open before it
};

struct TokenizedSource {
    std::vector<Token> tokens;
    /// The source with other characters where tree-sitter's grammar would go astray, all at the same places:
    /// comments and line ends within brackets are blanks; `print` that is no statement and `type` and `match`
    /// that are names have a capital; a `*` before what is no name is a `-`; the `as` of a keyword pattern is
    /// a `|`.
    std::string masked;
};

/// Throws an Error of kind "SyntaxError", "IndentationError" or "TabError".
TokenizedSource tokenize(const SourceFile& file);

} // namespace fx
