// SPDX-License-Identifier: GPL-3.0-or-later
// Python's format specifications: format(value, spec), which f-strings and str.format use, and `template %
// values`.
#pragma once

#include "core/python/evaluator.h"

#include <string>
#include <string_view>

namespace fx {

/// [[fill]align][sign][z][#][0][width][grouping][.precision][type]
struct FormatSpec {
    char32_t fill = ' ';
    char align = 0; ///< one of < > = ^, or 0 for the type's own
    char sign = '-';
    bool coercesZero = false; ///< z
    bool isAlternate = false; ///< #
    char grouping = 0;        ///< , or _
    int64_t width = -1;
    int64_t precision = -1;
    char32_t type = 0;
};

/// A number in parts: the digits before the point are grouped, and padded after the sign.
struct NumberText {
    std::string sign, prefix, digits;
    std::string rest; ///< from the point on: fraction, exponent, percent sign
};

FormatSpec parseFormatSpec(const std::string& spec, const std::string& typeName);
/// Puts fill characters around the text.
std::string aligned(Evaluator& evaluator, const std::string& text, const FormatSpec& spec, char ownAlign);
std::string aligned(Evaluator& evaluator, NumberText number, const FormatSpec& spec);
/// The digits of a finite number that is not negative: `kind` is one of e E f F g G.
std::string floatDigits(double value, char kind, int64_t precision, bool isAlternate);

/// format() of None, numbers, str and the other builtin values.
std::string formatPlain(Evaluator& evaluator, const Value& value, const std::string& spec);
/// "{0.name[key]!r:>5}".format(...)
std::string formatTemplate(Evaluator& evaluator, const std::string& text, const Values& args,
                           const NamedValues& kwargs);
/// The same with the names out of a mapping: str.format_map.
std::string formatTemplateMap(Evaluator& evaluator, const std::string& text, const Value& mapping);
/// "%5.2f" % values
std::string formatPercent(Evaluator& evaluator, const std::string& text, const Value& values, bool isBytes);
/// repr() with everything beyond ASCII escaped.

} // namespace fx
