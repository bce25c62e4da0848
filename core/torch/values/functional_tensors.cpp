// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/values/functional_tensors.h"

#include "core/torch/bind/meta_fallback.h"
#include "core/torch/values/symbolic_tensors.h"

#include <ATen/ATen.h>
#include <ATen/FunctionalTensorWrapper.h>

namespace fx {

namespace functionalization = at::functionalization::impl;

at::Tensor functionalValue(const at::Tensor& tensor) {
    if (!functionalization::isFunctionalTensor(tensor))
        return tensor;
    functionalization::sync(tensor);
    return functionalization::unsafeGetFunctionalWrapper(tensor)->value();
}

void writeBack(const at::Tensor& wrapped, const at::Tensor& wrapper) {
    const at::Tensor value = functionalValue(wrapper);
    if (value.is_same(wrapped))
        return;
    // What is empty may have been resized, and any tensor may have got another shape in place.
    if (!hasSymbolicSizes(wrapped)) {
        if (wrapped.nbytes() != value.nbytes())
            wrapped.resize_(value.sizes());
        if (wrapped.sizes() != value.sizes() || wrapped.strides() != value.strides())
            wrapped.as_strided_(value.sizes(), value.strides(), value.storage_offset());
    }
    wrapped.copy_(value);
}

FunctionalizeScope::FunctionalizeScope()
    : m_key(c10::DispatchKey::Functionalize),
      m_before(functionalization::getFunctionalizationReapplyViewsTLS()) {
    supportMeta(); // what writes is tried there first
    functionalization::setFunctionalizationReapplyViewsTLS(true);
}

FunctionalizeScope::~FunctionalizeScope() {
    functionalization::setFunctionalizationReapplyViewsTLS(m_before);
}

} // namespace fx
