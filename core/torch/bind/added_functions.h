// SPDX-License-Identifier: GPL-3.0-or-later
// Meanings of names that a call_function node may have and that torch does not: those of plugins.
#pragma once

#include "core/torch/bind/python_functions.h"

namespace fx {

/// Throws an Error where the name has a meaning already.
void requireUsable(const std::string& name, const PythonFunction& function);
/// Before anything runs. `name` is the target as graphs have it: "mylib.ops.scale".
void addPythonFunction(const std::string& name, PythonFunction function);
/// Null for a name that nobody has added.
const PythonFunction* findAddedFunction(const std::string& name);

} // namespace fx
