// SPDX-License-Identifier: GPL-3.0-or-later
// How the numbers of a quantized tensor stand for reals, in .fxg: beside the table of tensors, as their bytes
// are plain integers.
#pragma once

#include "core/io/json.h"

#include <optional>
#include <vector>

namespace at {
class Tensor;
}

namespace fx::fxg {

struct Quantizer {
    bool isByChannel = false, hasFloatZeros = false;
    int64_t axis = 0;
    std::vector<double> scales, zeroPoints; ///< one each where it is the whole tensor's
};

Json quantizerJson(const at::Tensor& quantized);
/// Of a tensor of those sizes; throws where the scales are not one for each channel.
Quantizer readQuantizer(const JsonDocument& json, const Json& value, const std::vector<int64_t>& sizes);
at::Tensor quantizedFrom(const at::Tensor& integers, const Quantizer& quantizer);

} // namespace fx::fxg
