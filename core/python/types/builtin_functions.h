// SPDX-License-Identifier: GPL-3.0-or-later
// Python's builtin functions by groups, each in its file.
#pragma once

#include "core/python/types/support.h"

namespace fx {

void addIterationFunctions(
    Evaluator& evaluator); // iter, next, enumerate, zip, map, filter, reversed, sorted, min, sum ...
void addNumberFunctions(Evaluator& evaluator);    // abs, divmod, pow, round, hex, chr ...
void addAttributeFunctions(Evaluator& evaluator); // getattr, isinstance, vars, dir, callable ...
void addTextFunctions(Evaluator& evaluator);      // exec, eval, compile

/// What print() does with a text where nothing takes the place of sys.stdout.
void writeOutput(Evaluator& evaluator, std::string_view text);
bool isCallable(Evaluator& evaluator, const Value& value);
/// abs(), pow(), round() and divmod() of any values, for math and operator too.
Value absolute(Evaluator& evaluator, const Value& value);
Value power(Evaluator& evaluator, const Value& base, const Value& exponent, const Value* modulus);

} // namespace fx
