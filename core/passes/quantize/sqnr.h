// SPDX-License-Identifier: GPL-3.0-or-later
// How far a tensor is from what it should be.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

namespace fx {

struct TensorError {
    double sqnr = 0;   ///< 10 log10 of the signal's power over that of the difference, in dB; may be infinite
    double cosine = 1; ///< of the angle between the two
    double greatest = 0; ///< difference of one number
};

TensorError tensorError(const at::Tensor& reference, const at::Tensor& value);
/// "38.2 dB", "exact".
std::string decibelText(double sqnr);

} // namespace fx
