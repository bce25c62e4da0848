// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of functions in C bound before their values are known, by what kinds they are of: once for a program,
// not each time that it runs.
#pragma once

#include "core/python/value.h"
#include "core/torch/bind/call_plan.h"
#include "core/torch/bind/hand_bound.h"

namespace fx {

/// Where one argument of the operator comes from.
struct AheadSource {
    enum class Kind : uint8_t {
        Constant, ///< `constant`
        AsItIs,   ///< `value`, as the operator takes it
        Unpacked, ///< `value`, by unpackValue()
        Tensors,  ///< `value` is a list of tensors
        Ints,     ///< `value` is a list of whole numbers
        Sizes     ///< as Ints, of all positional arguments
    };
    Kind kind = Kind::Constant;
    const Value* value = nullptr; ///< one of those that the call was bound with
    const SignatureParameter* parameter = nullptr;
    c10::IValue constant;
};

struct AheadCall {
    const CallPlan* plan = nullptr;   ///< null: of `function`
    std::vector<AheadSource> sources; ///< one for each argument of plan->op
    bool isFirst = false; ///< no overload is tried before that could take its tensors for something else
    HandBound function = nullptr;
    ParsedCall parsed; ///< for `function`
};

/// A call by values that stand for what it will be called with (argument_kinds.h).
struct AheadArguments {
    const Value* self = nullptr; ///< of a method
    const Values& args;
    const NamedValues& kwargs;
    /// Whether one of those values, or what is in it, is known only when the call is made.
    std::function<bool(const Value*)> isOpen;
};

/// None where the call cannot be bound by the kinds of its values alone. `function` as for callFunction(),
/// where there is a self a method.
std::optional<AheadCall> bindAhead(const std::string& function, const AheadArguments& arguments);

/// What Python's operator calls where tensors are among its operands.
struct OperatorCall {
    std::string_view name;  ///< of the method, or "torch.function"
    bool isSwapped = false; ///< the right operand is the first argument
};
/// None for what is no operator of `name` ("operator.add", "operator.iadd"), or no single call.
std::optional<OperatorCall> callOfOperator(std::string_view name, bool isLeftTensor);

} // namespace fx
