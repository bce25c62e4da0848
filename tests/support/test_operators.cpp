// SPDX-License-Identifier: GPL-3.0-or-later
// A library of operators such as a user has: fxscope and the real PyTorch load it, and both run graphs that
// call it.
#include <ATen/ATen.h>
#include <torch/library.h>

namespace {

at::Tensor scaled(const at::Tensor& x, double factor) {
    return x * factor;
}

at::Tensor scaledByTensor(const at::Tensor& x, const at::Tensor& factor) {
    return x * factor + 1;
}

at::Tensor& shift(at::Tensor& x, int64_t by) {
    return x.add_(by);
}

std::tuple<at::Tensor, at::Tensor> halves(const at::Tensor& x) {
    const int64_t middle = x.size(0) / 2;
    return {x.slice(0, 0, middle).clone(), x.slice(0, middle).clone()};
}

at::Tensor total(at::TensorList parts, std::optional<int64_t> times) {
    at::Tensor out = at::zeros_like(parts[0]);
    for (const at::Tensor& part : parts)
        out += part;
    return out * times.value_or(1);
}

at::Tensor refusing(const at::Tensor& x) {
    TORCH_CHECK_VALUE(x.dim() == 7, "refusing wants 7 dimensions, not ", x.dim());
    return x;
}

} // namespace

TORCH_LIBRARY(fxtest, m) {
    m.def("scaled(Tensor x, float factor=2.0) -> Tensor", scaled);
    m.def("scaled.tensor(Tensor x, Tensor factor) -> Tensor", scaledByTensor);
    m.def("shift_(Tensor(a!) x, int by=1) -> Tensor(a!)", shift);
    m.def("halves(Tensor x) -> (Tensor low, Tensor high)", halves);
    m.def("total(Tensor[] parts, *, int? times=None) -> Tensor", total);
    m.def("refusing(Tensor x) -> Tensor", refusing);
}
