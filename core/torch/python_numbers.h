// SPDX-License-Identifier: GPL-3.0-or-later
// Python's view of numbers, shared by the tables of functions.
#pragma once

#include "core/python/value.h"

namespace fx {

/// An int or a bool.
bool isInteger(const Value& value);
/// An int, a bool or a float.
bool isReal(const Value& value);
bool isString(const Value& value);
int64_t asInt(const Value& integer);
double asDouble(const Value& real);
/// What int(value) or float(value) gives.
Value toNumber(const Value& value, bool wantsInt);
/// Python's == as a bool.
bool isEqual(const Value& a, const Value& b);
/// Throws unless between `least` and `most` positional arguments were given.
void requireCount(const Values& args, size_t least, size_t most, const char* name);

} // namespace fx
