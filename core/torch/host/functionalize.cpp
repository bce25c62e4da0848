// SPDX-License-Identifier: GPL-3.0-or-later
// What torch.func.functionalize is made of: a level of LibTorch's interpreters of operators, and tensors that
// are wrapped for it.
#include "core/torch/bind/call.h"
#include "core/torch/host/torch_hosts.h"
#include "core/torch/values/functional_tensors.h"

#include <ATen/ATen.h>
#include <ATen/FunctionalTensorWrapper.h>
#include <ATen/functorch/DynamicLayer.h>

namespace fx {

namespace {

namespace functorch = at::functorch;
namespace functionalization = at::functionalization::impl;

const at::Tensor& givenTensor(const Value& value) {
    if (!plainOf(value).isTensor())
        raise("TypeError", "expected a Tensor, not " + typeName(value));
    return plainOf(value).data().toTensor();
}

/// (whether views stay): the number of the level.
Value enter(Evaluator& evaluator, Values& args, NamedValues&) {
    requireArguments("_func_increment_nesting", args, 1, 1);
    return makeInt(functorch::initAndPushDynamicLayer(functorch::TransformType::Functionalize, std::nullopt,
                                                      std::nullopt, std::nullopt, std::nullopt,
                                                      evaluator.isTrue(args[0])));
}

Value leave(Evaluator&, Values& args, NamedValues&) {
    requireArguments("_func_decrement_nesting", args, 0, 0);
    if (functorch::getDynamicLayerStack().empty())
        raise("RuntimeError", "functionalize is left, but was not entered");
    return makeInt(functorch::popDynamicLayerAndDeleteMetadata().layerId());
}

/// (tensor, level)
Value wrapped(Evaluator&, Values& args, NamedValues&) {
    requireArguments("_wrap_functional_tensor", args, 2, 2);
    at::Tensor wrapper;
    guarded([&] {
        wrapper = functionalization::to_functional_tensor(givenTensor(args[0]));
        functionalization::unsafeGetFunctionalWrapper(wrapper)->set_level(args[1].data().toInt());
    });
    return c10::IValue(wrapper);
}

/// (tensor, whether views stay): what is in the wrapper; any other tensor is itself.
Value unwrapped(Evaluator& evaluator, Values& args, NamedValues&) {
    requireArguments("_unwrap_functional_tensor", args, 2, 2);
    at::Tensor out;
    guarded([&] {
        const functionalization::FunctionalizationReapplyViewsGuard views(evaluator.isTrue(args[1]));
        out = functionalValue(givenTensor(args[0]));
    });
    return c10::IValue(out);
}

/// (tensor that was wrapped, its wrapper)
Value propagate(Evaluator&, Values& args, NamedValues&) {
    requireArguments("_propagate_functional_input_mutation", args, 2, 2);
    guarded([&] { writeBack(givenTensor(args[0]), givenTensor(args[1])); });
    return {};
}

} // namespace

void addFunctionalize(Evaluator& evaluator) {
    const auto add = [&](const char* name, NativeObject::Call call) {
        evaluator.builtins().set(name, makeNative(name, std::move(call)));
    };
    add("_func_increment_nesting", enter);
    add("_func_decrement_nesting", leave);
    add("_wrap_functional_tensor", wrapped);
    add("_unwrap_functional_tensor", unwrapped);
    add("_propagate_functional_input_mutation", propagate);
}

} // namespace fx
