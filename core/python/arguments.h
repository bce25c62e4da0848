// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments of calls: bound to the parameters of a function of Python source, and checked for native ones.
#pragma once

#include "core/python/value.h"

#include <optional>
#include <string_view>

namespace fx {

struct Frame;

/// Puts the arguments into the frame of a call; throws Python's errors. What is bound is moved away.
void bindArguments(const DefinedFunction& function, Frame& frame, Values& args, NamedValues& kwargs);

/// Checks the number of positional arguments of a native function: "len() takes exactly one argument (2
/// given)".
void requireArguments(const char* name, const Values& args, size_t least, size_t most);
void refuseKeywords(const char* name, const NamedValues& kwargs);
/// Takes the keyword out of the list, if it is there.
std::optional<Value> takeKeyword(NamedValues& kwargs, std::string_view name);

} // namespace fx
