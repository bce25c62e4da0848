// SPDX-License-Identifier: GPL-3.0-or-later
// Operators of torch.ops.prims, and the Meta kernels that call them (torch/_refs,
// torch/_meta_registrations.py). PyTorch has both in Python. LibTorch's kernels for ZeroTensors call Meta
// kernels below the dispatcher, so make_fx records what these kernels call. Without a recorder, LibTorch's
// own Meta kernels run.
#include "core/torch/values/thread_modes.h"

#include <ATen/ATen.h>
#include <ATen/ExpandUtils.h>
#include <ATen/OpMathType.h>
#include <ATen/ScalarOps.h>
#include <ATen/ops/add_meta_dispatch.h>
#include <ATen/ops/div_meta_dispatch.h>
#include <ATen/ops/linalg_cross_meta_dispatch.h>
#include <ATen/ops/mul_meta_dispatch.h>
#include <torch/library.h>

namespace fx {

namespace {

using at::Scalar;
using at::Tensor;

Tensor addPrimitive(const Tensor& self, const Tensor& other) {
    return at::add(self, other);
}

Tensor mulPrimitive(const Tensor& self, const Tensor& other) {
    return at::mul(self, other);
}

Tensor divPrimitive(const Tensor& self, const Tensor& other) {
    const bool isIntegral = c10::isIntegralType(at::result_type(self, other), true);
    return isIntegral ? at::div(self, other, "trunc") : at::div(self, other);
}

/// Calls torch.ops.prims.NAME through the dispatcher, where a recorder sees it.
Tensor callPrimitive(const char* name, const Tensor& self, const Tensor& other) {
    return c10::Dispatcher::singleton()
        .findSchemaOrThrow(name, "")
        .typed<Tensor(const Tensor&, const Tensor&)>()
        .call(self, other);
}

/// Functionalization excludes Python while it tries a write on the device meta; recorders ignore those calls.
bool isRecorded() {
    using c10::DispatchKey;
    return c10::impl::tls_is_dispatch_key_included(DispatchKey::Fake) &&
           !c10::impl::tls_is_dispatch_key_excluded(DispatchKey::Fake) &&
           !c10::impl::tls_is_dispatch_key_excluded(DispatchKey::Python);
}

Tensor expandedTo(const Tensor& tensor, c10::SymIntArrayRef sizes) {
    return tensor.sym_sizes() == sizes ? tensor : tensor.expand_symint(sizes);
}

/// Converts both operands to the type in which the operator computes, then broadcasts them. Converts what
/// `compute` returns to `dtype`.
template <class Compute>
Tensor elementwise(const Compute& compute, const Tensor& self, const Tensor& other, c10::ScalarType dtype) {
    const c10::ScalarType wide = at::toOpMathType(dtype);
    const Tensor a = self.to(wide), b = other.to(wide);
    const c10::SymDimVector sizes = at::infer_size_symdimvector(a.sym_sizes(), b.sym_sizes());
    const Tensor left = expandedTo(a, sizes), right = expandedTo(b, sizes);
    return compute(left, right).to(dtype);
}

Tensor addOnMeta(const Tensor& self, const Tensor& other, const Scalar& alpha) {
    if (!isRecorded())
        return at::meta::add(self, other, alpha);
    const bool isScaled = !alpha.isIntegral(false) || alpha.toLong() != 1;
    return elementwise(
        [&](const Tensor& a, const Tensor& b) {
            const Tensor scaled =
                isScaled ? callPrimitive("prims::mul", b, at::native::wrapped_scalar_tensor(alpha)) : b;
            return callPrimitive("prims::add", a, scaled);
        },
        self, other, at::result_type(self, other));
}

Tensor mulOnMeta(const Tensor& self, const Tensor& other) {
    if (!isRecorded())
        return at::meta::mul(self, other);
    return elementwise([](const Tensor& a, const Tensor& b) { return callPrimitive("prims::mul", a, b); },
                       self, other, at::result_type(self, other));
}

Tensor divOnMeta(const Tensor& self, const Tensor& other) {
    if (!isRecorded())
        return at::meta::div(self, other);
    const c10::ScalarType dtype = at::result_type(self, other);
    return elementwise(
        [](const Tensor& a, const Tensor& b) { return callPrimitive("prims::div", a, b); }, self, other,
        c10::isIntegralType(dtype, true) ? at::typeMetaToScalarType(at::get_default_dtype()) : dtype);
}

Tensor linalgCrossOnMeta(const Tensor& self, const Tensor& other, int64_t dim) {
    if (!isRecorded())
        return at::meta::linalg_cross(self, other, dim);
    TORCH_CHECK(self.dim() == other.dim(), "linalg.cross: inputs must have the same number of dimensions.");
    TORCH_CHECK(self.sym_size(dim) == 3 && other.sym_size(dim) == 3, "linalg.cross: inputs dimension ", dim,
                " must have length 3. Got ", self.sym_size(dim), " and ", other.sym_size(dim));
    return self.new_empty_symint(at::infer_size_symdimvector(self.sym_sizes(), other.sym_sizes()),
                                 std::nullopt, std::nullopt, std::nullopt, false);
}

/// In a process of Python's, which has these operators and kernels by itself.
const bool arePrimitivesThere = c10::Dispatcher::singleton().findSchema({"prims::add", ""}).has_value();

} // namespace

TORCH_LIBRARY_FRAGMENT(prims, library) {
    if (arePrimitivesThere)
        return;
    const auto add = [&](const char* schema, auto* kernel) {
        library.def(schema, torch::dispatch(c10::DispatchKey::CompositeExplicitAutograd, kernel));
    };
    add("add(Tensor self, Tensor other) -> Tensor", &addPrimitive);
    add("mul(Tensor self, Tensor other) -> Tensor", &mulPrimitive);
    add("div(Tensor self, Tensor other) -> Tensor", &divPrimitive);
}

// LibTorch expects its Meta kernels to be replaced, so this causes no warning.
TORCH_LIBRARY_IMPL(aten, Meta, library) {
    if (arePrimitivesThere)
        return;
    library.impl("add.Tensor", &addOnMeta);
    library.impl("mul.Tensor", &mulOnMeta);
    library.impl("div.Tensor", &divOnMeta);
    library.impl("linalg_cross", &linalgCrossOnMeta);
}

} // namespace fx
