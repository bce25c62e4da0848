// SPDX-License-Identifier: GPL-3.0-or-later
// Batching rules that PyTorch has in Python (torch/_functorch/predispatch.py): LibTorch alone would loop
// over the samples for these operators. Each is decomposed into operators that have a rule, in the order of
// PyTorch's decompositions, since captures record it.
#include "core/torch/bind/vmap_rules.h"

#include <ATen/ATen.h>
#include <ATen/OpMathType.h>
#include <ATen/ScalarOps.h>
#include <ATen/core/Reduction.h>
#include <torch/library.h>

#include <optional>
#include <tuple>
#include <vector>

namespace fx {

namespace {

using at::Scalar;
using at::Tensor;
using OptionalTensor = std::optional<Tensor>;

/// Autograd passes an absent weight as an undefined tensor.
bool isGiven(const OptionalTensor& tensor) {
    return tensor && tensor->defined();
}

/// Wraps a number as Python's operators do for a scalar operand.
Tensor number(const Scalar& value) {
    return at::native::wrapped_scalar_tensor(value);
}

/// Computes float16 and bfloat16 in float32.
template <class Compute>
Tensor inWiderType(const Compute& compute, const std::vector<Tensor>& tensors) {
    const c10::ScalarType given = at::result_type(tensors[1], tensors[2]);
    const c10::ScalarType wide = at::toOpMathType(given);
    std::vector<Tensor> wider;
    for (const Tensor& tensor : tensors)
        wider.push_back(tensor.to(wide));
    return compute(wider[0], wider[1], wider[2]).to(given);
}

/// Factor of the gradient: `scale`, divided by the number of elements for a mean.
double scaleOf(double scale, const Tensor& input, int64_t reduction) {
    return reduction == at::Reduction::Mean ? scale / static_cast<double>(input.numel()) : scale;
}

Tensor mseLossBackward(const Tensor& grad, const Tensor& input, const Tensor& target, int64_t reduction) {
    return inWiderType(
        [&](const Tensor& g, const Tensor& x, const Tensor& y) {
            return at::mul(at::mul(at::sub(x, y), number(scaleOf(2.0, x, reduction))), g);
        },
        {grad, input, target});
}

Tensor smoothL1LossBackward(const Tensor& grad, const Tensor& input, const Tensor& target, int64_t reduction,
                            double beta) {
    return inWiderType(
        [&](const Tensor& g, const Tensor& x, const Tensor& y) {
            const Tensor distance = at::sub(x, y);
            const Tensor size = at::abs(distance);
            const Tensor scaled = at::mul(g, number(scaleOf(1.0, x, reduction)));
            const Tensor isNear = at::lt(size, beta);
            const Tensor near = at::div(at::mul(scaled, distance), number(beta));
            return at::where(isNear, near, at::mul(scaled, at::sign(distance)));
        },
        {grad, input, target});
}

Tensor huberLossBackward(const Tensor& grad, const Tensor& input, const Tensor& target, int64_t reduction,
                         double delta) {
    return inWiderType(
        [&](const Tensor& g, const Tensor& x, const Tensor& y) {
            const double scale = scaleOf(1.0, x, reduction);
            const Tensor distance = at::sub(x, y);
            const Tensor isBelow = at::lt(distance, -delta);
            const Tensor below = at::mul(at::mul(g, number(-scale)), number(delta));
            const Tensor isAbove = at::gt(distance, delta);
            const Tensor above = at::mul(at::mul(g, number(scale)), number(delta));
            const Tensor inside = at::mul(at::mul(distance, number(scale)), g);
            return at::where(isBelow, below, at::where(isAbove, above, inside));
        },
        {grad, input, target});
}

int64_t channelAxis(const Tensor& input) {
    return input.dim() < 2 ? 0 : 1;
}

/// Reshapes class weights to broadcast against the input. weight: [C].
Tensor alongChannels(const Tensor& weight, const Tensor& input) {
    std::vector<int64_t> shape(static_cast<size_t>(input.dim()), 1);
    shape[static_cast<size_t>(channelAxis(input))] = weight.size(0);
    return weight.view(shape);
}

/// input: [N, C, ...] or [C]; target: int64 [N, ...] or []. Gives the loss and the total of the weights.
std::tuple<Tensor, Tensor> nllLossForward(const Tensor& given, const Tensor& target,
                                          const OptionalTensor& weight, int64_t reduction,
                                          c10::SymInt ignoredIndex) {
    const int64_t ignored = ignoredIndex.guard_int(__FILE__, __LINE__);
    Tensor input = given, factors;
    const int64_t axis = channelAxis(input);
    if (isGiven(weight)) {
        factors = input.dim() > 1 ? alongChannels(*weight, input) : *weight;
        input = at::mul(input, factors);
    }
    const Tensor classes = at::where(at::ne(target, ignored), target, 0).unsqueeze(axis);
    Tensor loss = at::neg(at::gather(input, axis, classes).squeeze(axis));
    loss = at::where(at::ne(target, ignored), loss, 0);
    if (reduction == at::Reduction::None && given.dim() > 1)
        return {loss, input.new_full({}, 0.0, std::nullopt, std::nullopt, std::nullopt, false)};
    Tensor total;
    if (isGiven(weight)) {
        const Tensor chosen = at::gather(factors.expand(input.sizes()), axis, classes).squeeze(axis);
        total = at::sum(at::where(at::ne(target, ignored), chosen, 0));
    } else {
        total = at::sum(at::ne(target, ignored)).to(input.device(), input.scalar_type());
    }
    if (reduction == at::Reduction::Sum)
        loss = at::sum(loss);
    else if (reduction == at::Reduction::Mean)
        loss = at::div(at::sum(loss), total);
    return {loss, total};
}

Tensor nllLossBackwardOfPython(const Tensor& grad, const Tensor& input, const Tensor& targets,
                               const OptionalTensor& weight, int64_t reduction, c10::SymInt ignored,
                               const Tensor& total) {
    return nllLossBackward(grad, input, targets, weight, reduction, ignored.guard_int(__FILE__, __LINE__),
                           total, false);
}

/// beta * self + alpha * outer(first, second). first: [N], second: [M].
Tensor addr(const Tensor& self, const Tensor& first, const Tensor& second, const Scalar& beta,
            const Scalar& alpha) {
    TORCH_CHECK(first.dim() == 1, "addr: Expected 1-D argument vec1, but got ", first.dim(), "-D");
    TORCH_CHECK(second.dim() == 1, "addr: Expected 1-D argument vec2, but got ", second.dim(), "-D");
    const c10::ScalarType type = at::promote_types(at::result_type(self, first), second.scalar_type());
    const Tensor a = first.to(type), b = second.to(type);
    const Tensor base = self.to(type).expand({a.size(0), b.size(0)});
    const bool hasBase = beta.toComplexDouble() != 0.0, hasOuter = alpha.toComplexDouble() != 0.0;
    if (type == at::kBool) {
        const Tensor product = hasOuter ? at::outer(a, b) : at::full_like(base, false);
        return hasBase ? at::logical_or(base, product) : product;
    }
    if (!hasBase)
        return at::mul(at::outer(a, b), number(alpha));
    const Tensor scaled = at::mul(base, number(beta));
    return at::add(scaled, at::mul(at::outer(a, b), number(alpha)));
}

} // namespace

Tensor nllLossBackward(const Tensor& given, const Tensor& input, const Tensor& targets,
                       const OptionalTensor& weight, int64_t reduction, int64_t ignored, const Tensor& total,
                       std::optional<bool> pinsZeros) {
    const int64_t axis = channelAxis(input);
    Tensor grad = reduction == at::Reduction::Mean ? at::div(given, total) : given;
    Tensor target = input.dim() == 1 && targets.dim() > 0 ? targets.select(0, 0) : targets;
    target = target.unsqueeze(axis);
    const Tensor classes = at::where(at::ne(target, ignored), target, 0);
    const Tensor zeros =
        at::zeros_like(input, std::nullopt, std::nullopt, std::nullopt, pinsZeros, std::nullopt);
    const Tensor picked = at::scatter(zeros, axis, classes, -1.0);
    if (picked.dim() > grad.dim() && grad.dim() > 0)
        grad = grad.unsqueeze(axis);
    if (isGiven(weight)) {
        std::vector<int64_t> shape(static_cast<size_t>(input.dim()), 1);
        shape[static_cast<size_t>(axis)] = weight->size(0);
        grad = at::mul(grad, weight->reshape(shape));
    }
    return at::mul(picked, at::where(at::ne(target, ignored), grad, 0));
}

TORCH_LIBRARY_IMPL(aten, FuncTorchBatched, library) {
    library.impl("mse_loss_backward", &mseLossBackward);
    library.impl("smooth_l1_loss_backward", &smoothL1LossBackward);
    library.impl("huber_loss_backward", &huberLossBackward);
    library.impl("nll_loss_forward", &nllLossForward);
    library.impl("nll_loss2d_forward", &nllLossForward);
    library.impl("nll_loss_backward", &nllLossBackwardOfPython);
    library.impl("nll_loss2d_backward", &nllLossBackwardOfPython);
    library.impl("addr", &addr);
}

} // namespace fx
