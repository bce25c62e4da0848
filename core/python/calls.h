// SPDX-License-Identifier: GPL-3.0-or-later
// Calling: functions, methods, classes, instances and what hosts have.
#pragma once

#include "core/python/value.h"

#include <string>

namespace fx {

Value callValue(Evaluator& evaluator, const Value& function, Values&& args, NamedValues&& kwargs);
/// Calls a function of Python source with one value for each parameter: positional ones, keyword-only ones,
/// *args, **kwargs.
Value callFlat(Evaluator& evaluator, const Value& function, Values values);
/// type.__call__(type, ...): __new__, then __init__.
Value makeInstanceOf(Evaluator& evaluator, const Value& type, Values& args, NamedValues& kwargs);

/// "module.name()", as messages about its arguments say.
std::string calledName(Evaluator& evaluator, const Value& function);
/// f(*given) or f(**given) of what cannot be spread.
[[noreturn]] void refuseSpread(Evaluator& evaluator, const Value& function, const Value& given,
                               bool isMapping);

} // namespace fx
