// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/byte_loops.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <cmath>
#include <cstdlib>

namespace fx {

namespace {

constexpr int64_t kGrain = 32768;      ///< elements that are worth a thread
constexpr int64_t kFarthest = 1 << 20; ///< zero points up to there leave all sums exact in float32

/// `low` and `high`: the bounds less the zero point. Cutting off first is the same, as they are whole.
void roundToBytes(const float* from, uint8_t* to, int64_t count, float inverse, float low, float high,
                  int32_t zero) {
    constexpr float kWhole = 12582912; // 1.5 * 2^23: a sum with it has no fraction left
    for (int64_t i = 0; i < count; ++i) {
        float value = from[i] * inverse;
        value = value < low ? low : value;
        value = value > high ? high : value;
        value = (value + kWhole) - kWhole;
        to[i] = static_cast<uint8_t>(static_cast<int32_t>(value) + zero);
    }
}

/// `sign`: 128 of int8, whose bytes are read as they lie; else 0.
void restoreBytes(const uint8_t* from, float* to, int64_t count, int32_t sign, float zero, float scale) {
    for (int64_t i = 0; i < count; ++i)
        to[i] = (static_cast<float>((from[i] ^ sign) - sign) - zero) * scale;
}

bool isOfBytes(at::ScalarType dtype) {
    return dtype == at::kByte || dtype == at::kChar;
}

bool liesInOnePiece(const at::Tensor& tensor) {
    return tensor.device().is_cpu() && tensor.layout() == at::kStrided && tensor.has_storage() &&
           tensor.is_non_overlapping_and_dense() && !tensor.is_conj() && !tensor.is_neg();
}

template <class Loop>
void inParallel(int64_t count, const Loop& loop) {
    at::parallel_for(0, count, kGrain, [&](int64_t begin, int64_t end) { loop(begin, end - begin); });
}

} // namespace

std::optional<at::Tensor> roundedToBytes(const at::Tensor& input, double scale, int64_t zeroPoint,
                                         int64_t least, int64_t most, at::ScalarType dtype) {
    if (input.scalar_type() != at::kFloat || !isOfBytes(dtype) || !liesInOnePiece(input) ||
        std::abs(zeroPoint) > kFarthest || least > most)
        return std::nullopt;
    const auto inverse = static_cast<float>(1.0 / scale);
    if (!std::isfinite(inverse))
        return std::nullopt;
    at::Tensor out = at::empty_like(input, dtype);
    const float* from = input.const_data_ptr<float>();
    auto* to = static_cast<uint8_t*>(out.mutable_data_ptr());
    const auto low = static_cast<float>(least - zeroPoint), high = static_cast<float>(most - zeroPoint);
    inParallel(input.numel(), [&](int64_t begin, int64_t count) {
        roundToBytes(from + begin, to + begin, count, inverse, low, high, static_cast<int32_t>(zeroPoint));
    });
    return out;
}

std::optional<at::Tensor> restoredFromBytes(const at::Tensor& input, double scale, int64_t zeroPoint) {
    if (!isOfBytes(input.scalar_type()) || !liesInOnePiece(input) || std::abs(zeroPoint) > kFarthest)
        return std::nullopt;
    at::Tensor out = at::empty_like(input, at::kFloat);
    const auto* from = static_cast<const uint8_t*>(input.const_data_ptr());
    float* to = out.mutable_data_ptr<float>();
    const int32_t sign = input.scalar_type() == at::kChar ? 128 : 0;
    inParallel(input.numel(), [&](int64_t begin, int64_t count) {
        restoreBytes(from + begin, to + begin, count, sign, static_cast<float>(zeroPoint),
                     static_cast<float>(scale));
    });
    return out;
}

} // namespace fx
