// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/quantize/scheme.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>

namespace fx {

namespace {

/// Rounds to the nearest, halves to even numbers, what lies within a few thousands of zero: where a float32
/// has no digits behind the point, adding rounds. Compilers make vectors of it.
void roundRow(const float* from, int8_t* to, int64_t count, float inverse, float least, float most) {
    constexpr float kWhole = 12582912; // 1.5 * 2^23
    for (int64_t i = 0; i < count; ++i) {
        const float value = std::min(std::max(from[i] * inverse, least), most);
        to[i] = static_cast<int8_t>(static_cast<int32_t>((value + kWhole) - kWhole));
    }
}

} // namespace

at::Tensor weightIntegers(const at::Tensor& weight, const at::Tensor& scale, std::optional<int64_t> axis,
                          const IntegerScheme& scheme) {
    const at::Tensor inverse = scale.reciprocal();
    const bool isPlain = weight.is_contiguous() && weight.device().is_cpu() &&
                         weight.scalar_type() == at::kFloat && scheme.dtype == at::kChar;
    if (!isPlain) {
        std::vector<int64_t> shape(static_cast<size_t>(weight.dim()), 1);
        if (axis)
            shape[static_cast<size_t>(*axis)] = -1;
        const at::Tensor factors = axis ? inverse.view(shape) : inverse;
        return (weight * factors).round_().clamp_(scheme.least, scheme.most).to(scheme.dtype);
    }
    const at::Tensor out = at::empty(weight.sizes(), weight.options().dtype(at::kChar));
    const int64_t channels = axis ? weight.size(*axis) : 1;
    const int64_t inner =
        axis ? c10::multiply_integers(weight.sizes().slice(static_cast<size_t>(*axis) + 1)) : weight.numel();
    const auto* factors = inverse.const_data_ptr<float>();
    const auto* from = weight.const_data_ptr<float>();
    auto* to = out.mutable_data_ptr<int8_t>();
    for (int64_t row = 0; inner > 0 && row < weight.numel() / inner; ++row)
        roundRow(from + row * inner, to + row * inner, inner, factors[row % channels],
                 static_cast<float>(scheme.least), static_cast<float>(scheme.most));
    return out;
}

QuantizationParameters parametersOf(const ValueRange& range, const IntegerScheme& scheme) {
    const at::Tensor zeros = at::zeros_like(range.low);
    const at::Tensor low = at::minimum(range.low, zeros), high = at::maximum(range.high, zeros);
    const double steps = static_cast<double>(scheme.most - scheme.least);
    const auto atLeastEpsilon = [](const at::Tensor& scale) {
        return scale.clamp_min(static_cast<double>(std::numeric_limits<float>::epsilon()));
    };
    if (scheme.isSymmetric) {
        const int64_t middle = scheme.dtype == at::kByte ? 128 : 0;
        return {atLeastEpsilon(at::maximum(-low, high) / (steps / 2)),
                at::full_like(low, middle, low.options().dtype(at::kLong))};
    }
    const at::Tensor scale = atLeastEpsilon((high - low) / steps);
    const at::Tensor zeroPoint = scheme.least - at::round(low / scale).to(at::kInt);
    return {scale, zeroPoint.clamp(scheme.least, scheme.most).to(at::kLong)};
}

ValueRange rangeOfNothing() {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    return {at::tensor(kInfinity), at::tensor(-kInfinity)};
}

ValueRange rangeOf(const at::Tensor& tensor, std::optional<int64_t> axis) {
    const at::Tensor values = tensor.detach().to(at::kFloat);
    if (!axis) {
        const auto [low, high] = at::aminmax(values);
        return {low, high};
    }
    // Two passes over the rows take a quarter of the time of aminmax's one.
    const at::Tensor rows = values.transpose(0, *axis).flatten(1);
    return {at::amin(rows, 1), at::amax(rows, 1)};
}

} // namespace fx
