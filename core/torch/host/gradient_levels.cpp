// SPDX-License-Identifier: GPL-3.0-or-later
// What torch.func's gradients are made of: levels of LibTorch's interpreters of operators, and tensors that
// are wrapped for one, each with a graph of autograd of its own. The transforms themselves are the library's
// text.
#include "core/torch/bind/call.h"
#include "core/torch/host/torch_hosts.h"

#include <ATen/ATen.h>
#include <ATen/functorch/DynamicLayer.h>
#include <ATen/functorch/TensorWrapper.h>
#include <c10/core/AutogradState.h>
#include <torch/csrc/autograd/autograd.h>

namespace fx {

namespace {

namespace functorch = at::functorch;

bool areForwardGradientsOn() {
    return c10::AutogradState::get_tls_state().get_fw_grad_mode();
}

Value enterBackward(Evaluator&, Values& args, NamedValues&) {
    requireArguments("_grad_increment_nesting", args, 0, 0);
    return makeInt(functorch::initAndPushDynamicLayer(functorch::TransformType::Grad, std::nullopt,
                                                      std::nullopt, at::GradMode::is_enabled()));
}

Value enterForward(Evaluator&, Values& args, NamedValues&) {
    requireArguments("_jvp_increment_nesting", args, 0, 0);
    return makeInt(functorch::initAndPushDynamicLayer(functorch::TransformType::Jvp, std::nullopt,
                                                      std::nullopt, std::nullopt, areForwardGradientsOn()));
}

Value leaveLevel(Evaluator&, Values& args, NamedValues&) {
    requireArguments("_grad_decrement_nesting", args, 0, 0);
    if (functorch::getDynamicLayerStack().empty())
        raise("RuntimeError", "a level of gradients is left, but was not entered");
    return makeInt(functorch::popDynamicLayerAndDeleteMetadata().layerId());
}

const at::Tensor& tensorOfLevel(const char* function, Values& args) {
    requireArguments(function, args, 2, 2);
    if (!plainOf(args[0]).isTensor() || !args[1].isInt())
        raise("TypeError", std::string(function) + "() takes a tensor and an int");
    return plainOf(args[0]).data().toTensor();
}

/// (tensor, level)
Value wrapAtLevel(Evaluator&, Values& args, NamedValues&) {
    const at::Tensor& tensor = tensorOfLevel("_wrap_for_grad", args);
    at::Tensor out;
    guarded([&] { out = functorch::makeTensorWrapper(tensor, args[1].data().toInt()); });
    return c10::IValue(out);
}

/// (tensor, level): what is in the wrapper; any other tensor is itself.
Value unwrapAtLevel(Evaluator&, Values& args, NamedValues&) {
    const at::Tensor& tensor = tensorOfLevel("_unwrap_for_grad", args);
    const functorch::TensorWrapper* wrapper = functorch::maybeGetTensorWrapper(tensor);
    return wrapper && wrapper->level() == args[1].data().toInt() ? c10::IValue(wrapper->value()) : args[0];
}

/// (whether there are forward gradients from now on): whether there were.
Value setForwardGradients(Evaluator& evaluator, Values& args, NamedValues&) {
    requireArguments("_set_fwd_grad_enabled", args, 1, 1);
    const bool before = areForwardGradientsOn();
    c10::AutogradState::get_tls_state().set_fw_grad_mode(evaluator.isTrue(args[0]));
    return c10::IValue(before);
}

Value enterDual(Evaluator&, Values& args, NamedValues&) {
    requireArguments("_enter_dual_level", args, 0, 0);
    uint64_t level = 0;
    guarded([&] { level = torch::autograd::forward_ad::enter_dual_level(); });
    return makeInt(static_cast<int64_t>(level));
}

Value exitDual(Evaluator&, Values& args, NamedValues&) {
    requireArguments("_exit_dual_level", args, 1, 1);
    if (!args[0].isInt())
        raise("TypeError", "_exit_dual_level() takes an int");
    guarded([&] { torch::autograd::forward_ad::exit_dual_level(args[0].data().toInt()); });
    return {};
}

} // namespace

void addGradientLevels(Evaluator& evaluator) {
    const auto add = [&](const char* name, NativeObject::Call call) {
        evaluator.builtins().set(name, makeNative(name, std::move(call)));
    };
    add("_grad_increment_nesting", enterBackward);
    add("_grad_decrement_nesting", leaveLevel);
    add("_jvp_increment_nesting", enterForward);
    add("_jvp_decrement_nesting", leaveLevel);
    add("_wrap_for_grad", wrapAtLevel);
    add("_unwrap_for_grad", unwrapAtLevel);
    add("_set_fwd_grad_enabled", setForwardGradients);
    add("_enter_dual_level", enterDual);
    add("_exit_dual_level", exitDual);
}

} // namespace fx
