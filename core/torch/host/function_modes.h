// SPDX-License-Identifier: GPL-3.0-or-later
// torch.overrides.TorchFunctionMode: while one of a program's is entered, it is told of each function of
// torch that is called, of each method of a tensor and of each operator on one, and gives the result.
#pragma once

#include "core/python/evaluator.h"

namespace fx {

class FunctionModes : public ValueHost {
public:
    bool areOn() const { return !m_modes.empty(); }
    /// What the innermost mode makes of the call; it is off meanwhile.
    Value ask(Evaluator& evaluator, const Value& function, Values args, NamedValues kwargs);
    /// The same of a method of tensors: "add", "__getitem__".
    Value callMethod(Evaluator& evaluator, const std::string& name, Values args);
    Value operate(Evaluator& evaluator, Operator op, Values operands, bool isInPlace) override;

    std::optional<Value> interceptCall(Evaluator& evaluator, const Value& function, Values& args,
                                       NamedValues& kwargs) override;
    /// What the text of torch.overrides calls.
    void addTo(Evaluator& evaluator);

private:
    Values m_modes; ///< the innermost last
    bool m_isAsked = false;
};

} // namespace fx
