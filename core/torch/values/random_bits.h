// SPDX-License-Identifier: GPL-3.0-or-later
// numpy's generators: MT19937 of RandomState and PCG64 of default_rng, with the numbers that numpy draws. The
// state of a generator is a tensor, int64 [627] or [6], which each draw advances.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace fx {

inline constexpr int kTwisterWords = 624; ///< of MT19937's key; its position and a kept normal follow
inline constexpr int kTwisterSize = kTwisterWords + 3, kPermutedSize = 6;

/// MT19937 of one number, or of a key by init_by_array. words: uint32 each.
at::Tensor seedTwister(const std::vector<uint32_t>& words, bool isKey);
/// PCG64 by numpy's SeedSequence. words: uint32 each, the lowest first.
at::Tensor seedPermuted(const std::vector<uint32_t>& words);

/// float64 [count] in [0, 1).
at::Tensor drawDoubles(const at::Tensor& state, int64_t count);
/// float64 [count]: by pairs of RandomState's polar method, or by Generator's ziggurat.
at::Tensor drawNormals(const at::Tensor& state, int64_t count);
at::Tensor drawExponentials(const at::Tensor& state, int64_t count);
/// int64 [count], whose bits are numbers of 0 to `most`, that included, as numpy draws for integers of `bits`
/// bits (1, 8, 16, 32 or 64).
at::Tensor drawBounded(const at::Tensor& state, uint64_t most, int bits, int64_t count);
/// int64 [count]: 0 to count - 1, of which those from `first` on are shuffled, by masked numbers or by
/// Lemire's.
at::Tensor drawPermutation(const at::Tensor& state, int64_t count, int64_t first, bool isMasked);

} // namespace fx
