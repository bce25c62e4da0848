// SPDX-License-Identifier: GPL-3.0-or-later
// numpy's generators: MT19937 of RandomState and PCG64 of default_rng, with the numbers that numpy draws. The
// state of a generator is a tensor, int64 [627] or [6], which each draw advances.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace fx {

inline constexpr int kTwisterWords = 624; ///< key of MT19937; position and kept normal follow
inline constexpr int kTwisterSize = kTwisterWords + 3, kPermutedSize = 6;

/// Seeds MT19937 from one number, or from a key by init_by_array. words: uint32 each.
at::Tensor seedTwister(const std::vector<uint32_t>& words, bool isKey);
/// Seeds PCG64 by numpy's SeedSequence. words: uint32 each, the lowest first.
at::Tensor seedPermuted(const std::vector<uint32_t>& words);

/// Draws float64 [count] in [0, 1).
at::Tensor drawDoubles(const at::Tensor& state, int64_t count);
/// Draws float64 [count] by RandomState's polar method (MT19937) or Generator's ziggurat (PCG64).
at::Tensor drawNormals(const at::Tensor& state, int64_t count);
at::Tensor drawExponentials(const at::Tensor& state, int64_t count);
/// Draws int64 [count] with the bits of uint64 numbers in [0, most], as numpy does for integers of `bits`
/// bits (1, 8, 16, 32 or 64).
at::Tensor drawBounded(const at::Tensor& state, uint64_t most, int bits, int64_t count);
/// Returns int64 [count]: 0 to count - 1 with the entries from `first` on shuffled, by masked rejection or by
/// Lemire's method.
at::Tensor drawPermutation(const at::Tensor& state, int64_t count, int64_t first, bool isMasked);

} // namespace fx
