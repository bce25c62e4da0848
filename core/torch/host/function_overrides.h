// SPDX-License-Identifier: GPL-3.0-or-later
// `__torch_function__`: a class of a program takes the calls of torch's functions that have an instance of it
// among their arguments, be it a subclass of Tensor or of Proxy, or a class that only stands for tensors.
// What a mode is asked before is in function_modes.h.
#pragma once

#include "core/python/evaluator.h"

namespace fx {

class FunctionOverrides : public ValueHost {
public:
    /// What the classes of the arguments make of a call of torch's; none where none of them is a program's,
    /// and while they are off (torch._C.DisableTorchFunctionSubclass). Throws TypeError where each of them
    /// gives NotImplemented.
    std::optional<Value> answer(Evaluator& evaluator, const Value& function, const Values& args,
                                const NamedValues& kwargs);
    /// Whether the class of one of the arguments, or of an item of one, is a program's that takes calls.
    static bool concern(Evaluator& evaluator, const Values& args, const NamedValues& kwargs);
    /// The same of a method of tensors: "__getitem__".
    std::optional<Value> callMethod(Evaluator& evaluator, const std::string& name, const Values& args);
    /// The same of an operator, one of whose operands is a tensor.
    std::optional<Value> operateOn(Evaluator& evaluator, Operator op, const Values& operands, bool isInPlace);
    std::optional<Value> interceptCall(Evaluator& evaluator, const Value& function, Values& args,
                                       NamedValues& kwargs) override;
    /// What the text of torch.overrides calls.
    void addTo(Evaluator& evaluator);

private:
    int m_off = 0; ///< how many are entered that turn them off
};

/// The classes that a mode is told of: those of the arguments with a `__torch_function__`, and for a function
/// that is Python in PyTorch those of tensors as well.
Values overloadedTypes(Evaluator& evaluator, const Value& function, const Values& args,
                       const NamedValues& kwargs);
/// The method of tensors behind an operator, with its arguments: `1 - tensor` is tensor.__rsub__(1).
std::pair<std::string, Values> tensorMethodOf(Operator op, Values operands, bool isInPlace);

} // namespace fx
