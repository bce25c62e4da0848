// SPDX-License-Identifier: GPL-3.0-or-later
// Processors without instructions for dot products of bytes (VNNI) add two products of a byte each in 16
// bits, where 255 * 127 twice is cut off: what is multiplied may have 7 bits there, as torch's engines have
// it.
#pragma once

#include "core/module/edit.h"
#include "core/passes/lower/integer_values.h"

namespace fx {

/// Whether oneDNN's sums are cut off on this processor; tried once.
bool areSumsCutOff();

/// Whether integers reach so far that sums would be.
bool isTooWide(const TensorQuantization& values);

/// Gives values whose range is found in each run 7 bits instead of 8. How many there are.
///   before  p = choose_qparams(x, 0, 255, ...)   q = quantize_per_tensor(x, p[0], p[1], 0, 255, uint8)
///   after   p = choose_qparams(x, 0, 127, ...)   q = quantize_per_tensor(x, p[0], p[1], 0, 127, uint8)
size_t reduceRanges(Edit& edit);

} // namespace fx
