// SPDX-License-Identifier: GPL-3.0-or-later
// How numbers become small integers: a dtype with a range of it, and a scale and zero point from the range
// that values have. The formulas and their order are torch.ao's, so that scales are the same to the bit.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

namespace fx {

struct IntegerScheme {
    at::ScalarType dtype = at::kByte;
    int64_t least = 0, most = 255;
    bool isSymmetric = false; ///< zero stays zero, and the range reaches as far below it as above

    /// What torch's engines for x86 want of activations: one bit less, so that sums of two products fit.
    static IntegerScheme activations(bool isReduced) { return {at::kByte, 0, isReduced ? 127 : 255, false}; }
    static IntegerScheme weights() { return {at::kChar, -128, 127, true}; }
};

/// Least and greatest value: float32 tensors without dimensions, or with one number for each channel.
struct ValueRange {
    at::Tensor low, high;
};

/// Which any value widens to itself, as torch.ao's observers begin.
ValueRange rangeOfNothing();

struct QuantizationParameters {
    at::Tensor scale;     ///< float32, of the range's shape
    at::Tensor zeroPoint; ///< int64
};

/// The range is widened to hold zero.
QuantizationParameters parametersOf(const ValueRange& range, const IntegerScheme& scheme);

/// The range of each channel along the axis; of the whole tensor without one.
ValueRange rangeOf(const at::Tensor& tensor, std::optional<int64_t> axis);

/// Weights as integers: of a symmetric scheme, whose zero is zero, with one scale for each channel along the
/// axis, or one for all. The numbers of quantized_decomposed.quantize_per_channel.
at::Tensor weightIntegers(const at::Tensor& weight, const at::Tensor& scale, std::optional<int64_t> axis,
                          const IntegerScheme& scheme);

} // namespace fx
