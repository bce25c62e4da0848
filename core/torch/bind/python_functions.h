// SPDX-License-Identifier: GPL-3.0-or-later
// The functions that are Python's own and that a graph can call: operator.*, math.*, the builtins. They are
// those of core/python/types; what they mean for tensors is in operators_python.cpp and indexing.cpp.
#pragma once

#include "core/python/evaluator.h"

#include <functional>
#include <string>
#include <unordered_map>

namespace fx {

using PythonFunction = std::function<Value(const Values& args, const NamedValues& kwargs)>;

using PythonFunctions = std::unordered_map<std::string, PythonFunction>; ///< by name

/// torch's functions about its state: its generator, its threads, and the modes of this thread.
void addTorchState(PythonFunctions& table);
void addModeFunctions(PythonFunctions& table);
void addVmapFunctions(PythonFunctions& table);
/// The guard that torch.inference_mode holds.
void addInferenceModeClass(ClassData& type);

/// Empty for a name that is none of Python's. Names as in Target: "operator.add", "math.ceil", "len".
PythonFunction findPythonFunction(const std::string& name);

/// self.name(...) of a value that is Python's own: of a dict, a list, a str, a number.
Value callPythonMethod(const Value& self, const std::string& name, const Values& args,
                       const NamedValues& kwargs);

/// repr() of a value that is Python's own.
std::string pythonText(const Value& value);

/// Python's operator where a tensor is among the operands, one or two. Throws a TypeError where they have no
/// such operation.
Value operateOnTensors(Operator op, const Values& operands, bool isInPlace);

/// tensor[index] and tensor[index] = value.
Value getItem(const Value& tensor, const Value& index);
void setItem(const Value& tensor, const Value& index, const Value& value);

} // namespace fx
