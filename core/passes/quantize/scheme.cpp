// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/quantize/scheme.h"

#include <ATen/ATen.h>

#include <limits>

namespace fx {

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

ValueRange rangeOf(const at::Tensor& tensor, std::optional<int64_t> axis) {
    const at::Tensor values = tensor.detach().to(at::kFloat);
    if (!axis) {
        const auto [low, high] = at::aminmax(values);
        return {low, high};
    }
    const auto [low, high] = at::aminmax(values.transpose(0, *axis).flatten(1), 1);
    return {low, high};
}

} // namespace fx
