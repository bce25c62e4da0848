// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of functions in C bound before their tensors are known: once for a program, not each time that it
// runs.
#pragma once

#include "core/python/value.h"
#include "core/torch/call_plan.h"

namespace fx {

/// Where one argument of the operator comes from: a constant, or one of the arguments that the call was bound
/// with.
struct AheadSource {
    const Value* value = nullptr; ///< null: the constant. A tensor, or a list of nothing but tensors
    c10::IValue constant;
};

struct AheadCall {
    const CallPlan* plan = nullptr;
    std::vector<AheadSource> sources; ///< one for each argument of plan->op
    bool holdsForAnyTensor = false;   ///< no overload is tried before that could take one for a number
};

/// Binds a call whose tensors are not known yet, each an undefined tensor among the arguments. None where the
/// overload or a constant depends on what they are. The call holds for tensors that isPlainTensor() says are.
std::optional<AheadCall> bindFunctionAhead(const std::string& name, const Values& args,
                                           const NamedValues& kwargs);
std::optional<AheadCall> bindMethodAhead(const std::string& name, const Values& args,
                                         const NamedValues& kwargs);
/// The method that Python's operator calls on a tensor: "add" of "operator.add", "add_" of "operator.iadd";
/// empty for others.
std::string_view methodOfOperator(std::string_view name);

/// A tensor that no overload takes for a number or a size.
bool isPlainTensor(const Value& value);

} // namespace fx
