// SPDX-License-Identifier: GPL-3.0-or-later
// What a graph calls a value of Python's, and which value such a name means: functions, plain constants, type
// annotations.
#pragma once

#include "core/python/evaluator.h"

#include <optional>
#include <string>

namespace fx {

/// "math.sqrt", "net.my_function", "len": what a call_function of the value is called.
std::string targetOfFunction(Evaluator& evaluator, const Value& function, const std::string& name);
/// The other way: what a call_function of that name calls.
Value functionOf(Evaluator& evaluator, Target target);
/// A type annotation as torch.fx's generated code prints it (_type_repr).
std::optional<std::string> annotationText(Evaluator& evaluator, const Value& annotation);
/// A str; none for anything else.
std::optional<std::string> textOrNone(const Value& value);
/// A builtin value without proxies as an Argument; none for what cannot be one.
std::optional<Argument> plainArgument(const Value& value);

} // namespace fx
