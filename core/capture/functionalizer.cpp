// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/functionalizer.h"

#include "core/python/types/support.h"
#include "core/torch/values/functional_tensors.h"

#include <ATen/ATen.h>
#include <ATen/FunctionalTensorWrapper.h>

namespace fx {

namespace {

/// It writes the running statistics, which its schema does not say; the operators in its place do.
std::tuple<at::Tensor, at::Tensor, at::Tensor>
normalize(const at::Tensor& input, const std::optional<at::Tensor>& weight,
          const std::optional<at::Tensor>& bias, const std::optional<at::Tensor>& mean,
          const std::optional<at::Tensor>& variance, bool isTraining, double momentum, double epsilon) {
    if (!mean || !mean->defined() || !variance || !variance->defined())
        return at::_native_batch_norm_legit(input, weight, bias, isTraining, momentum, epsilon);
    if (!isTraining)
        return at::_native_batch_norm_legit_no_training(input, weight, bias, *mean, *variance, momentum,
                                                        epsilon);
    at::Tensor runningMean = *mean, runningVariance = *variance;
    return at::_native_batch_norm_legit(input, weight, bias, runningMean, runningVariance, true, momentum,
                                        epsilon);
}

} // namespace

Functionalizer::Functionalizer()
    : m_kernels(torch::Library::IMPL, "aten", c10::DispatchKey::Functionalize, __FILE__, __LINE__) {
    m_kernels.impl("native_batch_norm", TORCH_FN(normalize));
}

at::Tensor Functionalizer::wrap(const at::Tensor& tensor) {
    const auto [place, isNew] = m_places.try_emplace(tensor.unsafeGetTensorImpl(), m_wrapped.size());
    if (isNew)
        m_wrapped.push_back({tensor, at::functionalization::impl::to_functional_tensor(tensor)});
    return m_wrapped[place->second].wrapper;
}

namespace {

/// The value with all tensors in it changed.
Value mapped(const Value& given, const std::function<at::Tensor(const at::Tensor&)>& change) {
    const RecursionGuard guard; // a container may hold itself
    const Value& value = plainOf(given);
    if (value.isTensor())
        return c10::IValue(change(value.data().toTensor()));
    if (const auto* dict = value.as<DictObject>()) {
        DictObject out;
        for (const DictObject::Entry& entry : dict->entries())
            out.set(entry.key, mapped(entry.value, change));
        return Object{std::move(out)};
    }
    std::optional<Values> items = itemsOf(value);
    if (!items)
        return given;
    for (Value& item : *items)
        item = mapped(item, change);
    const auto* sequence = value.as<SequenceObject>();
    const bool isList = sequence ? sequence->isList : value.isData() && value.data().isList();
    return isList ? makeList(std::move(*items)) : makeTuple(std::move(*items));
}

} // namespace

Value Functionalizer::wrapAll(const Value& value) {
    return mapped(value, [this](const at::Tensor& tensor) { return wrap(tensor); });
}

Value Functionalizer::unwrapAll(const Value& value) {
    return mapped(value, functionalValue);
}

void Functionalizer::writeBack() const {
    for (const Wrapped& entry : m_wrapped)
        fx::writeBack(entry.tensor, entry.wrapper);
}

} // namespace fx
