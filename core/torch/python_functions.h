// SPDX-License-Identifier: GPL-3.0-or-later
// The functions that are Python's own: operator.*, math.*, the builtins, and torch's on symbolic numbers.
// On tensors they dispatch; on numbers, strings and containers they follow Python.
#pragma once

#include "core/python/value.h"

#include <string>
#include <unordered_map>

namespace fx {

using PythonFunction = Value (*)(const Values& args, const NamedValues& kwargs);

using FunctionTable = std::unordered_map<std::string, PythonFunction>;

/// The rows: each function fills in those of its file.
void addOperators(FunctionTable& table);
void addBuiltins(FunctionTable& table);
void addMath(FunctionTable& table);

/// Null for a name that is not in the table. Names as in Target: "operator.add", "math.ceil", "len".
PythonFunction findPythonFunction(const std::string& name);

/// The function of Python's module operator of that name: operate("add", {a, b}).
Value operate(std::string_view name, const Values& operands);

/// object[index] and object[index] = value.
Value getItem(const Value& object, const Value& index);
void setItem(const Value& object, const Value& index, const Value& value);

} // namespace fx
