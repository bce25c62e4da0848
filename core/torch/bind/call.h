// SPDX-License-Identifier: GPL-3.0-or-later
// Calls by name: what a call_function or call_method node does, and what a typed expression calls.
#pragma once

#include "core/python/value.h"
#include "core/torch/bind/operators.h"
#include "core/torch/bind/python_functions.h"

namespace fx {

struct SignatureGroup;

/// Calls "torch.ops.aten.add.Tensor", "torch.relu", "operator.add", "math.sqrt", "len". Throws an Error
/// without a place: for an unknown name, for arguments that fit no overload, and with LibTorch's words where
/// it fails.
Value callFunction(Target target, const Values& args, const NamedValues& kwargs);
/// Calls self.name(...).
Value callMethod(const Value& self, const std::string& name, const Values& args, const NamedValues& kwargs);
/// What callFunction calls for a target. One of the members is set, or none for an unknown name; a method has
/// its overloads beside it.
struct Callee {
    PythonFunction python;                         ///< a function of Python's own
    const TorchOperator* op = nullptr;             ///< "torch.ops.aten.add.Tensor"
    std::string_view method;                       ///< "add" of "torch.Tensor.add"
    const SignatureGroup* signatures = nullptr;    ///< of a function or method that PyTorch binds in C
    std::vector<const TorchOperator*> overloads{}; ///< of a packet, "torch.ops.aten.add"

    explicit operator bool() const { return python || op || signatures || !overloads.empty(); }
    /// Operators that a call executes, depending on its arguments. Null stands for what is no operator.
    std::vector<const TorchOperator*> operators() const;
};
Callee findCallee(Target target);

/// The overloads of the function in C that callFunction takes the name for; null if it is none.
const SignatureGroup* signaturesOfFunction(const std::string& name);
/// True if callFunction knows the name.
bool isKnownFunction(Target target);

/// The most harmful effect of the operators that callFunction calls for the name; Pure if it calls none.
OperatorEffect effectOfFunction(Target target);

/// Runs `work`, turning the exceptions of LibTorch into an Error with their message alone.
void guarded(const std::function<void()>& work);

} // namespace fx
