// SPDX-License-Identifier: GPL-3.0-or-later
// Forward gradients of gradients that PyTorch has in Python (torch/_decomp/decompositions_for_jvp.py):
// autograd decomposes operators that have no formula. LibTorch without Python has no decomposition for these,
// so the Hessian of a softmax, a normalization or a loss fails. The order of operators is that of PyTorch's
// scripted functions, since captures record it.
#include "core/torch/bind/vmap_rules.h"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/autograd/jit_decomp_interface.h>

#include <functional>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

namespace fx {

namespace {

using at::Tensor;
using c10::IValue;
using torch::jit::Stack;
using RuleResults = std::vector<Tensor>;
using OptionalTensor = std::optional<Tensor>;
using Rule = RuleResults (*)(const Stack& args);

OptionalTensor optionalTensor(const IValue& value) {
    return value.isTensor() && value.toTensor().defined() ? OptionalTensor(value.toTensor()) : std::nullopt;
}

/// Placeholder for a gradient that was not requested.
Tensor noGradient(const OptionalTensor& like) {
    return like ? at::zeros_like(*like) : at::zeros({});
}

RuleResults nllLoss(const Stack& args) {
    return {nllLossBackward(args[0].toTensor(), args[1].toTensor(), args[2].toTensor(),
                            optionalTensor(args[3]), args[4].toInt(), args[5].toInt(), args[6].toTensor(),
                            std::nullopt)};
}

Tensor inDtype(const Tensor& grad, const Tensor& found, c10::ScalarType dtype) {
    return grad.scalar_type() == dtype ? found : found.to(dtype);
}

RuleResults softmax(const Stack& args) {
    const Tensor& grad = args[0].toTensor();
    const Tensor& output = args[1].toTensor();
    const Tensor product = at::mul(grad, output);
    const Tensor found = at::sub(product, at::mul(output, at::sum(product, {args[2].toInt()}, true)));
    return {inDtype(grad, found, args[3].toScalarType()).contiguous()};
}

RuleResults logSoftmax(const Stack& args) {
    const Tensor& grad = args[0].toTensor();
    const Tensor exponential = at::exp(args[1].toTensor());
    const Tensor found = at::sub(grad, at::mul(exponential, at::sum(grad, {args[2].toInt()}, true)));
    return {inDtype(grad, found, args[3].toScalarType())};
}

/// Recomputes mean and reciprocal deviation from the input, so that gradients flow through them. The epsilon
/// is derived from the given deviation.
std::pair<Tensor, Tensor> statistics(const Tensor& input, const Tensor& deviation, at::IntArrayRef axes,
                                     bool keeps) {
    const auto [variance, mean] = at::var_mean(input, axes, at::Scalar(0), keeps);
    const Tensor epsilon = at::sub(at::pow(at::reciprocal(deviation), 2), variance).detach();
    return {mean, at::rsqrt(at::add(variance, epsilon))};
}

std::vector<int64_t> range(int64_t first, int64_t last) {
    std::vector<int64_t> out(static_cast<size_t>(std::max<int64_t>(last - first, 0)));
    std::iota(out.begin(), out.end(), first);
    return out;
}

RuleResults layerNorm(const Stack& args) {
    const Tensor& grad = args[0].toTensor();
    const Tensor& input = args[1].toTensor();
    const OptionalTensor weight = optionalTensor(args[5]), bias = optionalTensor(args[6]);
    const std::vector<bool> wanted = args[7].toBoolList().vec();
    const auto axis = input.dim() - static_cast<int64_t>(args[2].toIntVector().size());
    const std::vector<int64_t> inner = range(axis, input.dim()), outer = range(0, axis);
    const int64_t count = c10::multiply_integers(input.sizes().slice(static_cast<size_t>(axis)));
    if (input.numel() == 0) {
        const at::IntArrayRef shape = input.sizes().slice(static_cast<size_t>(axis));
        return {input.new_zeros(input.sizes()), input.new_zeros(shape), input.new_zeros(shape)};
    }
    const auto [mean, deviation] = statistics(input, args[4].toTensor(), inner, true);
    const Tensor normal = at::mul(at::sub(input, mean), deviation);
    const Tensor scaled = weight ? at::mul(grad, *weight) : grad;
    const Tensor whole = at::mul(scaled, at::Scalar(count));
    const Tensor sums = at::sum(scaled, inner, true);
    const Tensor along = at::mul(normal, at::sum(at::mul(scaled, normal), inner, true));
    const Tensor inside = at::sub(at::sub(whole, sums), along);
    const auto summed = [&](const Tensor& tensor) {
        return outer.empty() ? tensor : at::sum(tensor, outer, false);
    };
    RuleResults out;
    out.push_back(wanted[0] ? at::mul(at::div(deviation, at::Scalar(count)), inside) : at::zeros_like(input));
    out.push_back(wanted[1] && weight ? summed(at::mul(grad, normal)) : noGradient(weight));
    out.push_back(wanted[2] && bias ? (outer.empty() ? grad.clone() : summed(grad)) : noGradient(bias));
    return out;
}

RuleResults batchNorm(const Stack& args) {
    const Tensor& grad = args[0].toTensor();
    const Tensor& input = args[1].toTensor();
    const OptionalTensor weight = optionalTensor(args[2]);
    const bool isTraining = args[7].toBool();
    const std::vector<bool> wanted = args[9].toBoolList().vec();
    std::vector<int64_t> axes = range(2, input.dim()), shape(static_cast<size_t>(input.dim()), 1);
    axes.insert(axes.begin(), 0);
    shape[1] = input.size(1);
    Tensor mean, deviation;
    if (isTraining)
        std::tie(mean, deviation) = statistics(input, args[6].toTensor(), axes, false);
    else {
        mean = args[3].toTensor();
        deviation = at::rsqrt(at::add(args[4].toTensor(), at::Scalar(args[8].toDouble())));
    }
    mean = at::reshape(mean, shape);
    const at::Scalar share = static_cast<double>(input.size(1)) / static_cast<double>(input.numel());
    const Tensor sums = at::sum(grad, axes);
    const Tensor along = at::sum(at::mul(grad, at::sub(input, mean)), axes);
    const Tensor meanGrad = at::reshape(at::mul(sums, share), shape);
    const Tensor alongShare = at::mul(along, share);
    const Tensor slope = at::reshape(at::mul(alongShare, at::mul(deviation, deviation)), shape);
    const Tensor scale = weight ? at::reshape(at::mul(deviation, *weight), shape)
                                : at::mul(at::reshape(deviation, shape), at::Scalar(1.0));
    RuleResults out;
    if (isTraining) {
        const Tensor projected = at::mul(at::sub(input, mean), slope);
        out.push_back(at::mul(at::sub(at::sub(grad, projected), meanGrad), scale));
    } else {
        out.push_back(at::mul(grad, scale));
    }
    out.push_back(wanted[1] ? at::mul(along, deviation) : noGradient(weight));
    out.push_back(wanted[2] ? sums : at::zeros_like(sums));
    return out;
}

const std::unordered_map<std::string, Rule>& forwardRules() {
    static const std::unordered_map<std::string, Rule> kRules = {
        {"aten::nll_loss_backward", nllLoss},
        {"aten::nll_loss2d_backward", nllLoss},
        {"aten::_softmax_backward_data", softmax},
        {"aten::_log_softmax_backward_data", logSoftmax},
        {"aten::native_layer_norm_backward", layerNorm},
        {"aten::native_batch_norm_backward", batchNorm}};
    return kRules;
}

/// The rules above, with LibTorch's own implementation as fallback for other operators.
class ForwardRules final : public torch::autograd::impl::JitDecompInterface {
public:
    explicit ForwardRules(const JitDecompInterface* others) : m_others(others) {}

    bool has_jit_decomposition(const c10::FunctionSchema& schema) const override {
        return forwardRules().contains(schema.name()) ||
               (m_others && m_others->has_jit_decomposition(schema));
    }

    void run_jit_decomposition(const c10::OperatorHandle& op, Stack* stack) const override {
        const auto rule = forwardRules().find(op.schema().name());
        if (rule == forwardRules().end())
            return m_others->run_jit_decomposition(op, stack);
        for (Tensor& found : rule->second(torch::jit::pop(*stack, op.schema().arguments().size())))
            stack->emplace_back(std::move(found));
    }

private:
    const JitDecompInterface* m_others;
};

/// Runs after the static initialization of LibTorch, which this library links to.
[[maybe_unused]] const bool kIsRegistered = [] {
    using namespace torch::autograd::impl;
    static ForwardRules kForwardRules(getJitDecompImpl());
    setJitDecompImpl(&kForwardRules);
    return true;
}();

} // namespace

} // namespace fx
