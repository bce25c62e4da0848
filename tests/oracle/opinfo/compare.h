// SPDX-License-Identifier: GPL-3.0-or-later
// Whether two results are equal to the bit: values, dtypes, shapes and structure; one NaN is like another.
#pragma once

#include "core/ir/argument.h"
#include "core/python/value.h"

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

namespace fx {

/// Dtype, shape and layout are equal whatever is asked of the elements.
enum class Closeness {
    Bits,  ///< the same
    About, ///< nearly the same: of what PyTorch itself computes a little otherwise each time
    Shape, ///< any: of memory that is not filled
};
/// What differs, in a few words; empty: nothing.
std::string difference(const at::Tensor& ours, const at::Tensor& expected,
                       Closeness closeness = Closeness::Bits);
/// `expected` is a tree whose nodes are indices into `tensors`.
std::string difference(const Value& ours, const Argument& expected, const std::vector<at::Tensor>& tensors,
                       Closeness closeness = Closeness::Bits);

} // namespace fx
