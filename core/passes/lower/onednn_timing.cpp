// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/lower/onednn_timing.h"

#include "core/torch/bind/operators.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <chrono>
#include <limits>

namespace fx {

namespace {

using Clock = std::chrono::steady_clock;
using c10::IValue;
using Scalars = c10::List<std::optional<at::Scalar>>;

double secondsOf(const std::function<void()>& work) {
    const auto start = Clock::now();
    work();
    return std::chrono::duration<double>(Clock::now() - start).count();
}

at::Tensor called(const char* name, torch::jit::Stack stack) {
    findOperator(Target(name))->call(stack);
    return stack.at(0).toTensor();
}

at::Tensor weightOf(const Model& model, ModuleId module, const std::string& path) {
    return model.tensor(tensorEntry(model, module, path)->tensor).value().detach();
}

/// As a graph has it, an operator after the other.
at::Tensor plainly(const OnednnCall& call, const at::Tensor& x, const at::Tensor& w,
                   const std::optional<at::Tensor>& b, const at::Tensor& other) {
    at::Tensor y;
    if (!call.isConvolution)
        y = at::linear(x, w, b);
    else
        y = at::convolution(x, w, b, call.settings.stride, call.settings.padding, call.settings.dilation,
                            false, std::vector<int64_t>(call.settings.padding.size(), 0), call.groups);
    if (other.defined())
        y = y + other;
    if (call.unary == "gelu")
        return at::gelu(y, call.algorithm);
    return call.unary == "none" ? y : at::relu(y); // what the others take is as little
}

} // namespace

std::pair<double, double> leastInTurns(const std::function<void()>& one, const std::function<void()>& other,
                                       double seconds) {
    constexpr int kFewest = 4;
    one();
    other();
    std::pair<double, double> least(std::numeric_limits<double>::max(), std::numeric_limits<double>::max());
    const auto start = Clock::now();
    for (int i = 0; i < kFewest || std::chrono::duration<double>(Clock::now() - start).count() < seconds;
         ++i) {
        least.first = std::min(least.first, secondsOf(one));
        least.second = std::min(least.second, secondsOf(other));
    }
    return least;
}

CallTimes timesOf(const Model& model, ModuleId module, const OnednnCall& call) {
    const c10::InferenceMode mode;
    const at::Tensor w = weightOf(model, module, call.weightPath);
    const std::optional<at::Tensor> b =
        call.biasPath ? std::optional(weightOf(model, module, *call.biasPath)) : std::nullopt;
    const at::Tensor x = at::full(call.inputSizes, 0.5, w.options());
    Scalars scalars;
    const IValue bias = b ? IValue(*b) : IValue();
    at::Tensor packed, other;
    std::function<void()> lowered;
    if (call.isConvolution) {
        packed = called("torch.ops.mkldnn._reorder_convolution_weight.default",
                        {w, call.settings.padding, call.settings.stride, call.settings.dilation, call.groups,
                         call.inputSizes});
        lowered = [&] {
            called("torch.ops.mkldnn._convolution_pointwise.default",
                   {x, packed, bias, call.settings.padding, call.settings.stride, call.settings.dilation,
                    call.groups,
                    call.unary == "gelu"   ? "gelu"
                    : call.unary == "none" ? "none"
                                           : "relu",
                    scalars, call.algorithm});
        };
        if (call.sum) {
            other = plainly({.isConvolution = true, .settings = call.settings, .groups = call.groups}, x, w,
                            b, {});
            lowered = [&] {
                called("torch.ops.mkldnn._convolution_pointwise_.binary",
                       {other, x, packed, bias, call.settings.padding, call.settings.stride,
                        call.settings.dilation, call.groups, "add", at::Scalar(1),
                        call.unary == "none" ? IValue() : IValue("relu"), scalars, ""});
            };
        }
    } else {
        const int64_t rows = x.numel() / std::max<int64_t>(1, x.size(-1));
        packed = called("torch.ops.mkldnn._reorder_linear_weight.default", {w, rows});
        lowered = [&] {
            called("torch.ops.mkldnn._linear_pointwise.default", {x, packed, bias,
                                                                  call.unary == "gelu"   ? "gelu"
                                                                  : call.unary == "none" ? "none"
                                                                                         : "relu",
                                                                  scalars, call.algorithm});
        };
        if (call.sum) {
            other = at::linear(x, w, b);
            lowered = [&] {
                called("torch.ops.mkldnn._linear_pointwise.binary", {x, other, packed, bias, "add"});
            };
        }
    }
    constexpr double kSeconds = 0.05;
    const auto [before, after] = leastInTurns([&] { plainly(call, x, w, b, other); }, lowered, kSeconds);
    return {before, after};
}

} // namespace fx
