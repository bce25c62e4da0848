// SPDX-License-Identifier: GPL-3.0-or-later
// What torch.autograd calls in C: autograd's engine, and a node of its graph whose work is a program's.
#include "core/torch/bind/call.h"
#include "core/torch/host/nn_modules.h"
#include "core/torch/host/torch_hosts.h"

#include <ATen/ATen.h>
#include <torch/autograd.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>

namespace fx {

namespace {

using torch::autograd::variable_list;

/// Of a tuple; None is a tensor that is not defined.
variable_list variablesOf(Evaluator& evaluator, const Value& tuple) {
    variable_list out;
    for (const Value& item : evaluator.items(tuple)) {
        const Value& plain = plainOf(item);
        if (!plain.isTensor() && !plain.isNone())
            raise("TypeError", "expected a Tensor, not " + typeName(item));
        out.push_back(plain.isNone() ? at::Tensor() : plain.data().toTensor());
    }
    return out;
}

Value variableTuple(const variable_list& tensors) {
    Values out;
    for (const at::Tensor& tensor : tensors)
        out.push_back(tensor.defined() ? Value(c10::IValue(tensor)) : Value());
    return makeTuple(std::move(out));
}

/// (outputs, gradients of them, keeps the graph, creates a graph, inputs, allows unused): the gradients of
/// the inputs; without inputs those of all leaves are added to what the leaves have.
Value runBackward(Evaluator& evaluator, Values& args, NamedValues&) {
    requireArguments("_run_backward", args, 6, 6);
    const variable_list outputs = variablesOf(evaluator, args[0]), grads = variablesOf(evaluator, args[1]);
    const bool keeps = evaluator.isTrue(args[2]), creates = evaluator.isTrue(args[3]);
    Value result;
    guarded([&] {
        if (args[4].isNone())
            torch::autograd::backward(outputs, grads, keeps, creates);
        else
            result = variableTuple(torch::autograd::grad(outputs, variablesOf(evaluator, args[4]), grads,
                                                         keeps, creates, evaluator.isTrue(args[5])));
    });
    return result;
}

/// torch.autograd.Function's backward.
struct ProgramBackward : torch::autograd::Node {
    ProgramBackward(Evaluator& evaluator, Value backward)
        : m_evaluator(evaluator), m_backward(std::move(backward)) {}

    variable_list apply(variable_list&& grads) override {
        variable_list out = variablesOf(m_evaluator, m_evaluator.call(m_backward, {variableTuple(grads)}));
        out.resize(num_outputs());
        return out;
    }
    std::string name() const override { return "ProgramBackward"; }

private:
    Evaluator& m_evaluator;
    Value m_backward;
};

/// (tensors that went in, tensors that came out, backward): backward(gradients of what came out) gives those
/// of what went in.
Value attachBackward(Evaluator& evaluator, Values& args, NamedValues&) {
    requireArguments("_attach_backward", args, 3, 3);
    const variable_list inputs = variablesOf(evaluator, args[0]);
    variable_list outputs = variablesOf(evaluator, args[1]);
    guarded([&] {
        const auto node = c10::make_intrusive<ProgramBackward>(evaluator, args[2]);
        node->set_next_edges(torch::autograd::collect_next_edges(inputs));
        for (at::Tensor& output : outputs) {
            const bool isInput = std::any_of(inputs.begin(), inputs.end(),
                                             [&](const at::Tensor& input) { return input.is_same(output); });
            if (isInput)
                output = output.view_as(output);
            torch::autograd::set_history(output, node);
        }
    });
    return variableTuple(outputs);
}

/// (tensor, function): function(gradient) is called when the tensor's gradient has been computed, and gives
/// the one that is used. The tensor may outlive the evaluator, whose `life` ends with it.
Value attachHook(Evaluator& evaluator, Values& args, const std::shared_ptr<void>& life) {
    requireArguments("_attach_hook", args, 2, 2);
    if (isParameter(args[0]))
        evaluator.warnings().push_back(
            "a hook of a parameter's gradient is not kept with the model: gradients of a "
            "run are computed without it");
    guarded([&] {
        plainOf(args[0]).data().toTensor().register_hook(
            [&evaluator, function = args[1], alive = std::weak_ptr<void>(life)](const at::Tensor& gradient) {
                if (alive.expired())
                    return gradient;
                const Value given = evaluator.call(function, {Value(c10::IValue(gradient))});
                return plainOf(given).isTensor() ? plainOf(given).data().toTensor() : gradient;
            });
    });
    return {};
}

} // namespace

void addGradients(Evaluator& evaluator) {
    evaluator.builtins().set("_run_backward", makeNative("_run_backward", runBackward));
    evaluator.builtins().set(
        "_attach_hook", makeNative("_attach_hook", [life = std::shared_ptr<void>(std::make_shared<int>())](
                                                       Evaluator& e, Values& args, NamedValues&) {
            return attachHook(e, args, life);
        }));
    evaluator.builtins().set("_attach_backward", makeNative("_attach_backward", attachBackward));
}

} // namespace fx
