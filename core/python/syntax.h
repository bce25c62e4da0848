// SPDX-License-Identifier: GPL-3.0-or-later
// Python expressions as a tree. tree-sitter parses the text; here its nodes become values that own their
// parts.
#pragma once

#include "core/ir/argument.h"

#include <string>
#include <string_view>
#include <vector>

namespace fx {

struct Expression {
    enum class Kind {
        Name,          ///< text
        Constant,      ///< constant
        Tuple,         ///< children
        List,          ///< children
        Dict,          ///< children: key, value, key, value ...
        Attribute,     ///< children[0] . text
        Subscript,     ///< children[0] [ children[1] ]
        Slice,         ///< children: start, stop, step, each perhaps the constant None
        Call,          ///< children[0] ( children[1...] ); a Keyword or Starred among them
        Keyword,       ///< text = children[0]
        Starred,       ///< *children[0]
        DoubleStarred, ///< **children[0]
        Unary,         ///< text children[0]
        Binary,        ///< children[0] text children[1]
        Compare,       ///< children[0] operators[0] children[1] operators[1] children[2] ...
        And,           ///< children[0] and children[1]
        Or,
        Not,
        Conditional, ///< children[0] if children[1] else children[2]
    };

    Kind kind = Kind::Constant;
    std::string text;
    Argument constant;
    std::vector<std::string> operators;
    std::vector<Expression> children;
    size_t begin = 0, end = 0; ///< bytes of the source
};

/// Parses one expression. `place` names the source in errors, which point at the fault with a caret.
Expression parseExpression(std::string_view source, const std::string& place);

/// Throws an Error at bytes [begin, ...) of the source: "PLACE:1:7: message", the line and a caret below.
[[noreturn]] void failAt(std::string_view source, const std::string& place, size_t begin,
                         const std::string& message, const std::string& advice = {});

} // namespace fx
