// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/quantize/sqnr.h"

#include <ATen/ATen.h>

#include <cmath>
#include <cstdio>
#include <limits>

namespace fx {

namespace {

/// The same infinity, or a NaN, in both is no error, and no signal.
void leaveOutSame(at::Tensor& one, at::Tensor& other) {
    const at::Tensor odd = one.isfinite().logical_not();
    if (!odd.any().item<bool>())
        return;
    const at::Tensor same = odd.logical_and(one.eq(other).logical_or(one.isnan().logical_and(other.isnan())));
    one = one.masked_fill(same, 0);
    other = other.masked_fill(same, 0);
}

} // namespace

TensorError tensorError(const at::Tensor& reference, const at::Tensor& value) {
    if (reference.numel() == 0)
        return {std::numeric_limits<double>::infinity(), 1, 0};
    at::Tensor is = reference.detach().to(at::kDouble).flatten(),
               got = value.detach().to(at::kDouble).flatten();
    leaveOutSame(is, got);
    const at::Tensor difference = is - got;
    const double signal = is.dot(is).item<double>(), noise = difference.dot(difference).item<double>(),
                 size = got.dot(got).item<double>();
    TensorError out;
    const double infinity = std::numeric_limits<double>::infinity();
    out.sqnr = noise == 0 ? infinity : 10 * std::log10(signal / noise);
    if (std::isnan(out.sqnr)) // of numbers that are none
        out.sqnr = -infinity;
    out.cosine = signal > 0 && size > 0 ? is.dot(got).item<double>() / std::sqrt(signal * size)
                                        : (signal == size ? 1 : 0);
    out.greatest = difference.abs().max().item<double>();
    return out;
}

std::string decibelText(double sqnr) {
    if (std::isinf(sqnr) && sqnr > 0)
        return "exact";
    char text[32];
    std::snprintf(text, sizeof text, "%.1f dB", sqnr);
    return text;
}

} // namespace fx
