// SPDX-License-Identifier: GPL-3.0-or-later
// Floats rounded to small integers and back, in one pass over memory: what a quantized graph does between all
// of its calls. ATen's operators would take a pass for each step.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

namespace fx {

/// round(input * (1 / scale)) + zeroPoint, cut off at `least` and `most`; to the bit what ATen's operators
/// give. None for what these loops do not know: other tensors than float32 and int8 or uint8 on the
/// processor, those whose elements lie apart or twice, and zero points far off.
std::optional<at::Tensor> roundedToBytes(const at::Tensor& input, double scale, int64_t zeroPoint,
                                         int64_t least, int64_t most, at::ScalarType dtype);
/// (input - zeroPoint) * scale in float32, likewise.
std::optional<at::Tensor> restoredFromBytes(const at::Tensor& input, double scale, int64_t zeroPoint);

} // namespace fx
