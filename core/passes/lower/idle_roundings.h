// SPDX-License-Identifier: GPL-3.0-or-later
// Roundings to integers that no call over integers asks for: between calls in float32 they cost time and
// exactness alone.
//   before  q = quantize(x)  d = dequantize(q)  y = matmul(d, d)     r = qlinear_pointwise(...)  e =
//   dequantize(r) after   y = matmul(x, x)                                         e = qlinear_pointwise(...,
//   float32)
#pragma once

#include "core/module/edit.h"

namespace fx {

/// Gives how many were left out. What values are was recorded in a run (ShapeProp).
size_t dropIdleRoundings(Edit& edit);

} // namespace fx
