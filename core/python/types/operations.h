// SPDX-License-Identifier: GPL-3.0-or-later
// operatePlain by groups of types. Each gives none where Python has no such operation for these two values.
#pragma once

#include "core/python/types/support.h"

namespace fx {

std::optional<Value> operateNumbers(Evaluator* evaluator, Operator op, const Value& a, const Value& b);
std::optional<Value> operateIntegers(Evaluator* evaluator, Operator op, const Value& a, const Value& b);
std::optional<Value> operateTexts(Evaluator* evaluator, Operator op, const Value& a, const Value& b);
std::optional<Value> operateSequences(Evaluator* evaluator, Operator op, const Value& a, const Value& b);
std::optional<Value> operateMappings(Evaluator* evaluator, Operator op, const Value& a, const Value& b);
/// `item in container`, for the builtin containers.
std::optional<bool> containsPlain(Evaluator* evaluator, const Value& container, const Value& item);

/// -1, 0 or 1; none if one is a NaN. Exact between ints and floats.
std::optional<int> compareReals(const Value& a, const Value& b);
/// Python's == of any two values.
bool areEqualItems(Evaluator* evaluator, const Value& a, const Value& b);
/// As containers look for an item. A NaN counts as the same as another: floats have no identity here.
bool areSameOrEqual(Evaluator* evaluator, const Value& a, const Value& b);
/// What a sequence is multiplied by: an int, or the int that __index__ gives.
Value repetitions(Evaluator* evaluator, const Value& count);
/// The answer of a comparison, where a <=> b is known.
bool orderHolds(Operator op, int order);
inline bool isComparison(Operator op) {
    return op >= Operator::Lt && op <= Operator::Ne;
}

/// Python's pow() with a modulus.
Value powerModulo(const Value& base, const Value& exponent, const Value& modulus);
/// a // b and a % b of floats, of which b is not 0.
std::pair<double, double> floatDivMod(double a, double b);
/// round(value, digits) of an int, bool or float; without digits the int.
Value roundNumber(const Value& number, std::optional<int64_t> digits);
/// int(value) of a float; throws for infinities and NaN.
Value truncated(double value);
/// hash() of a float, equal to the hash of an equal int.
size_t hashDouble(double value);

/// int("0x1f", 16). `what` is shown in the error.
Value parseInteger(const std::string& text, int base, const std::string& what);
/// float("1e5"), with Python's words for what cannot be read.
double parseFloat(const std::string& text);
std::complex<double> parseComplex(const std::string& text);
/// str(int), refused beyond 4300 digits.
std::string integerText(const Value& integer);

} // namespace fx
