// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/python_call.h"

#include "core/capture/operator_arguments.h"
#include "core/python/evaluator.h"
#include "core/torch/bind/convert.h"
#include "core/torch/values/symbolic_tensors.h"

namespace fx {

PythonCall pythonCall(const c10::FunctionSchema& schema, at::ArrayRef<c10::IValue> given) {
    Values held; // tensors and symbolic numbers, in the place of nodes
    const auto keep = [&](Value value) {
        held.push_back(std::move(value));
        return NodeId{static_cast<int32_t>(held.size()) - 1};
    };
    const OperatorArguments arguments = operatorArguments(
        schema, given, [&](const at::Tensor& tensor) { return keep(c10::IValue(tensor)); },
        [&](const c10::SymNode& number) { return Argument(keep(symbolicValue(number))); });
    const auto valueOf = [&](const Argument& argument) {
        return makeValue(argument, [&](NodeId at) { return held.at(static_cast<size_t>(at.value)); });
    };
    PythonCall out;
    for (const Argument& argument : arguments.args)
        out.args.push_back(valueOf(argument));
    for (const auto& [name, argument] : arguments.kwargs)
        out.kwargs.emplace_back(name, valueOf(argument));
    return out;
}

void pushResults(const c10::FunctionSchema& schema, const Value& result, torch::jit::Stack& stack) {
    const std::vector<c10::Argument>& returns = schema.returns();
    const std::optional<Values> items =
        returns.size() == 1 ? std::optional(Values{result}) : itemsOf(plainOf(result));
    for (size_t i = 0; i < returns.size(); ++i) {
        const Value part = items && i < items->size() ? (*items)[i] : Value();
        std::optional<Converted> converted = convert(part, returns[i].type());
        if (!converted && part.isNone())
            converted = Converted{at::Tensor()}; // an operator may leave out one of several
        if (!converted)
            raise("TypeError", "what is to do the work of " + c10::toString(schema.operator_name()) +
                                   " gives a " + typeName(part));
        torch::jit::push(stack, std::move(converted->value));
    }
}

void callInstead(Evaluator& evaluator, const Value& function, const c10::FunctionSchema& schema,
                 torch::jit::Stack& stack) {
    const size_t count = schema.arguments().size();
    PythonCall call = pythonCall(schema, torch::jit::last(stack, count));
    torch::jit::drop(stack, count);
    pushResults(schema, evaluator.call(function, std::move(call.args), std::move(call.kwargs)), stack);
}

} // namespace fx
