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

void addInto(at::Tensor& x, const at::Tensor& y) {
    x.add_(y);
}

at::Tensor addToAll(at::TensorList xs, const at::Tensor& y, const std::optional<at::Tensor>& count) {
    for (const at::Tensor& x : xs)
        x.add_(y);
    if (count)
        count->add_(1);
    return y * 2;
}

at::Tensor& doubled(const at::Tensor& x, at::Tensor& out) {
    return out.copy_(x * 2);
}

std::tuple<at::Tensor, at::Tensor> ends(const at::Tensor& x, at::Tensor& first, at::Tensor& last) {
    return {first.copy_(x[0]), last.copy_(x[-1])};
}

void addTo(const at::Tensor& y, at::Tensor& x) {
    x.add_(y);
}

} // namespace

TORCH_LIBRARY(fxtest, m) {
    m.def("scaled(Tensor x, float factor=2.0) -> Tensor", scaled);
    m.def("scaled.tensor(Tensor x, Tensor factor) -> Tensor", scaledByTensor);
    m.def("shift_(Tensor(a!) x, int by=1) -> Tensor(a!)", shift);
    m.def("halves(Tensor x) -> (Tensor low, Tensor high)", halves);
    m.def("total(Tensor[] parts, *, int? times=None) -> Tensor", total);
    m.def("refusing(Tensor x) -> Tensor", refusing);
    // Of one kernel for every backend, and no part of autograd's: torch.export makes auto_functionalized of
    // them.
    const auto kernel = c10::DispatchKey::CompositeExplicitAutograd;
    m.def("add_into(Tensor(a!) x, Tensor y) -> ()");
    m.impl("add_into", torch::dispatch(kernel, TORCH_FN(addInto)));
    m.def("add_to_all(Tensor(a!)[] xs, Tensor y, Tensor(b!)? count=None) -> Tensor");
    m.impl("add_to_all", torch::dispatch(kernel, TORCH_FN(addToAll)));
    m.def("doubled(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", {at::Tag::out});
    m.impl("doubled", torch::dispatch(kernel, TORCH_FN(doubled)));
    m.def("ends(Tensor x, *, Tensor(a!) first, Tensor(b!) last) -> (Tensor(a!), Tensor(b!))", {at::Tag::out});
    m.impl("ends", torch::dispatch(kernel, TORCH_FN(ends)));
    m.def("add_to(Tensor y, *, Tensor(a!) x) -> ()");
    m.impl("add_to", torch::dispatch(kernel, TORCH_FN(addTo)));
}
