// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors of every kind as real numbers that can be looked at: of the large ones some elements, never a copy
// of the whole.
#pragma once

#include "core/torch/values/tensor_picture.h"

#include <ATen/core/Tensor.h>

namespace fx {

/// So many elements are read of a tensor, at most.
inline constexpr int64_t kMostElements = 10'000'000;

/// The same elements where they can be sliced: strided, and not quantized by channel. A view wherever that is
/// possible; throws an Error where it is not and the tensor is too large for a copy.
at::Tensor sliceable(const at::Tensor& tensor);
/// As doubles on the CPU. Complex numbers by that part of them; quantized ones by what they stand for.
at::Tensor realNumbers(const at::Tensor& tensor, ComplexPart part = ComplexPart::Magnitude);

/// Where the element is that has this number among all of them, in their order.
std::vector<int64_t> indexAt(int64_t number, at::IntArrayRef sizes);

/// A tensor thinned to at most kMostElements: each axis has only each so many of its places.
struct Thinned {
    at::Tensor numbers;         ///< a view
    std::vector<int64_t> steps; ///< by axis
    uint64_t repeats = 1;       ///< how often each element is there: of an expanded tensor one is read
    bool isSampled() const;
};
Thinned thinned(const at::Tensor& tensor);

} // namespace fx
