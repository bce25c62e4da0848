// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/meta_fallback.h"

#include "core/torch/bind/data_stand_ins.h"
#include "core/torch/bind/meta_shapes.h"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include <algorithm>

namespace fx {

namespace {

using c10::IValue;

/// Any tensor of that shape: one zero, unless the operator writes into it.
at::Tensor standIn(const at::Tensor& tensor, bool isWritten) {
    const auto options = tensor.options().device(c10::kCPU);
    return isWritten ? at::zeros(tensor.sizes(), options) : at::zeros({}, options).expand(tensor.sizes());
}

at::Tensor onMeta(const at::Tensor& tensor) {
    return at::empty_strided(tensor.sizes(), tensor.strides(), tensor.options().device(c10::kMeta));
}

bool isMeta(const IValue& value) {
    return value.isTensor() && value.toTensor().defined() && value.toTensor().is_meta();
}

/// `data`: where what they hold comes from; null if it does not matter.
IValue toProcessor(const IValue& value, bool isWritten, DataStandIns* data) {
    const auto stand = [=](const at::Tensor& tensor) {
        return data && !isWritten ? data->dataFor(tensor) : standIn(tensor, isWritten);
    };
    if (isMeta(value))
        return stand(value.toTensor());
    if (value.isDevice() && value.toDevice().is_meta())
        return c10::Device(c10::kCPU);
    if (value.isTensorList()) {
        c10::List<at::Tensor> out;
        for (const at::Tensor& tensor : value.toTensorVector())
            out.push_back(tensor.is_meta() ? stand(tensor) : tensor);
        return out;
    }
    if (value.isList() && value.toListRef().size() > 0 && isMeta(value.toListRef()[0])) {
        c10::List<IValue> out = value.toList().copy();
        for (size_t i = 0; i < out.size(); ++i)
            out.set(i, toProcessor(value.toListRef()[i], isWritten, data));
        return out;
    }
    return value;
}

IValue toMeta(const IValue& value) {
    if (value.isTensor() && value.toTensor().defined())
        return onMeta(value.toTensor());
    if (!value.isTensorList())
        return value;
    c10::List<at::Tensor> out;
    for (const at::Tensor& tensor : value.toTensorVector())
        out.push_back(onMeta(tensor));
    return out;
}

void workOut(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
    const c10::FunctionSchema& schema = op.schema();
    bool dependsOnData = schema.name() == "aten::_local_scalar_dense";
    for (at::Tag tag : op.getTags())
        dependsOnData |= tag == at::Tag::dynamic_output_shape || tag == at::Tag::data_dependent_output;
    DataStandIns* data = dependsOnData ? DataStandIns::current() : nullptr;
    if (dependsOnData && !data) {
        TORCH_CHECK(schema.name() != "aten::_local_scalar_dense",
                    "Tensor.item() cannot be called on meta tensors");
        TORCH_CHECK_NOT_IMPLEMENTED(false, schema.name(),
                                    ": what it gives depends on data, which tensors on meta have not");
    }
    if (giveShapes(op, *stack))
        return;
    const size_t count = schema.arguments().size();
    const std::vector<IValue> given = torch::jit::last(*stack, count).vec();
    torch::jit::drop(*stack, count);
    for (size_t i = 0; i < count; ++i) {
        const auto* alias = schema.arguments()[i].alias_info();
        torch::jit::push(*stack, toProcessor(given[i], alias && alias->isWrite(), data));
    }
    op.callBoxed(*stack);
    const size_t results = schema.returns().size();
    for (size_t i = 0; i < results; ++i) {
        IValue& result = (*stack)[stack->size() - results + i];
        // What is written in place is the argument itself.
        const auto* alias = schema.returns()[i].alias_info();
        const IValue* same = nullptr;
        for (size_t j = 0; alias && alias->isWrite() && j < count; ++j)
            if (schema.arguments()[j].alias_info() && *schema.arguments()[j].alias_info() == *alias)
                same = &given[j];
        if (same && isMeta(*same) && same->toTensor().sizes() != result.toTensor().sizes())
            same->toTensor().resize_(result.toTensor().sizes());
        result = same ? *same : toMeta(result);
    }
}

bool lacksMeta(const c10::OperatorName& name) {
    using Key = c10::DispatchKey;
    const auto op = c10::Dispatcher::singleton().findSchema(name);
    // A composite that asks the device for a kernel that meta has not.
    if (name.name == "aten::convolution")
        return op.has_value();
    if (!name.name.starts_with("aten::") || !op || !op->hasKernelForDispatchKey(Key::CPU))
        return false;
    for (Key key : {Key::Meta, Key::CompositeImplicitAutograd, Key::CompositeExplicitAutograd,
                    Key::CompositeExplicitAutogradNonFunctional})
        if (op->hasKernelForDispatchKey(key))
            return false;
    return true;
}

} // namespace

void supportMeta() {
    static const torch::Library library = [] {
        torch::Library made(torch::Library::IMPL, "aten", c10::DispatchKey::Meta, __FILE__, __LINE__);
        for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames())
            if (lacksMeta(name))
                made.impl(c10::toString(name).c_str(), torch::CppFunction::makeFromBoxedFunction<&workOut>());
        return made;
    }();
}

} // namespace fx
