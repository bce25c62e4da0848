// SPDX-License-Identifier: GPL-3.0-or-later
// A source as tokens, by Python's lexical rules: indentation, brackets, numbers, strings, characters. What
// breaks them is refused here.
#pragma once

#include "core/base/error.h"
#include "core/python/tree.h"

#include <algorithm>
#include <optional>

namespace fx {

struct Token {
    enum class Kind : uint8_t { Name, Keyword, Number, String, Operator, Newline, Indent, Dedent, End };
    Kind kind;
    uint32_t begin, end;
    uint32_t depth; ///< how many brackets are open before it
};

/// "{expression!r:spec}" in an f-string.
struct FormatValue {
    uint32_t begin, end;    ///< with the braces
    uint32_t expressionEnd; ///< what is before it is the expression, perhaps with a "=" behind
};

struct TokenizedSource {
    std::vector<Token> tokens;       ///< the last is the End
    std::vector<FormatValue> values; ///< of all f-strings, in the order in which they begin
    std::optional<Error> fault;      ///< of the indentation, where the tokens end too early
};

/// Throws an Error of kind "SyntaxError". A fault of the indentation only matters to who gets as far as that.
TokenizedSource tokenize(const SourceFile& file);
/// The expression between two places of an f-string; line ends mean nothing in it.
TokenizedSource tokenizeExpression(const SourceFile& file, uint32_t begin, uint32_t end);

/// The first of the values that begin at or behind that place.
inline std::vector<FormatValue>::const_iterator firstValue(const TokenizedSource& source, uint32_t at) {
    return std::lower_bound(source.values.begin(), source.values.end(), at,
                            [](const FormatValue& value, uint32_t place) { return value.begin < place; });
}

inline std::string_view textOf(const SourceFile& file, const Token& token) {
    return std::string_view(file.text).substr(token.begin, token.end - token.begin);
}

} // namespace fx
