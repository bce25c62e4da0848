// SPDX-License-Identifier: GPL-3.0-or-later
// The patterns of match statements.
#pragma once

#include "core/python/syntax/expression_parser.h"

namespace fx {

class PatternParser : protected ExpressionParser {
protected:
    using ExpressionParser::ExpressionParser;

    /// What stands behind `case`: a sequence needs no brackets.
    Pattern casePattern();
    /// Later errors where a case can never be reached.
    void checkReachable(const std::vector<Statement::Case>& cases);

private:
    Pattern starOrPattern();
    Pattern asPattern();
    Pattern closedPattern();
    Pattern namePattern();
    Pattern literalPattern();
    Pattern groupPattern();
    Pattern sequenceTo(Pattern out, std::string_view close);
    Pattern mappingPattern();
    Pattern classPattern(Expression type, uint32_t begin);
    Expression signedNumber();
    Pattern makePattern(Pattern::Kind kind, uint32_t begin) const;
    void capture(Pattern& out);
};

} // namespace fx
