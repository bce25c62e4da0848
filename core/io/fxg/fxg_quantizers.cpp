// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/fxg/fxg_quantizers.h"

#include <ATen/ATen.h>

namespace fx::fxg {

namespace {

Json numbersJson(const at::Tensor& numbers) {
    Json out = Json::array();
    const at::Tensor doubles = numbers.to(at::kDouble).contiguous();
    for (int64_t i = 0; i < doubles.numel(); ++i)
        out.push_back(doubles.data_ptr<double>()[i]);
    return out;
}

std::vector<double> numbersIn(const JsonDocument& json, const Json& list) {
    std::vector<double> out;
    for (const Json& number : json.array(list))
        out.push_back(json.number(number));
    return out;
}

at::Tensor asTensor(const std::vector<double>& numbers, at::ScalarType dtype) {
    return at::tensor(numbers, at::kDouble).to(dtype);
}

} // namespace

Json quantizerJson(const at::Tensor& quantized) {
    const bool isByChannel = quantized.qscheme() != at::kPerTensorAffine;
    const at::Tensor scales =
        isByChannel ? quantized.q_per_channel_scales() : at::tensor(quantized.q_scale(), at::kDouble);
    const at::Tensor zeros = isByChannel ? quantized.q_per_channel_zero_points()
                                         : at::tensor(double(quantized.q_zero_point()), at::kDouble);
    return {{"by_channel", isByChannel},
            {"float_zeros", isByChannel && zeros.is_floating_point()},
            {"axis", isByChannel ? quantized.q_per_channel_axis() : 0},
            {"scales", numbersJson(scales.reshape({-1}))},
            {"zero_points", numbersJson(zeros.reshape({-1}))}};
}

Quantizer readQuantizer(const JsonDocument& json, const Json& value, const std::vector<int64_t>& sizes) {
    Quantizer out;
    out.isByChannel = json.boolean(json.member(value, "by_channel"));
    out.hasFloatZeros = json.boolean(json.member(value, "float_zeros"));
    out.axis = json.integer(json.member(value, "axis"));
    out.scales = numbersIn(json, json.member(value, "scales"));
    out.zeroPoints = numbersIn(json, json.member(value, "zero_points"));
    const bool hasAxis = out.axis >= 0 && static_cast<size_t>(out.axis) < sizes.size();
    if (out.isByChannel && !hasAxis)
        json.fail(value, "has channels in no dimension of its tensor");
    const size_t wanted = out.isByChannel ? static_cast<size_t>(sizes[static_cast<size_t>(out.axis)]) : 1;
    if (out.scales.size() != wanted || out.zeroPoints.size() != wanted)
        json.fail(value, "has not one scale and zero point for each channel");
    return out;
}

at::Tensor quantizedFrom(const at::Tensor& integers, const Quantizer& quantizer) {
    if (!quantizer.isByChannel)
        return at::_make_per_tensor_quantized_tensor(integers, quantizer.scales[0],
                                                     static_cast<int64_t>(quantizer.zeroPoints[0]));
    const at::ScalarType scale = quantizer.hasFloatZeros ? at::kFloat : at::kDouble;
    const at::ScalarType zero = quantizer.hasFloatZeros ? at::kFloat : at::kLong;
    return at::_make_per_channel_quantized_tensor(integers, asTensor(quantizer.scales, scale),
                                                  asTensor(quantizer.zeroPoints, zero), quantizer.axis);
}

} // namespace fx::fxg
