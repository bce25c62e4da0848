// SPDX-License-Identifier: GPL-3.0-or-later
// Whether two results are equal to the bit: values, dtypes, shapes and structure; one NaN is like another.
#pragma once

#include "core/ir/argument.h"
#include "core/python/value.h"

#include <ATen/core/Tensor.h>

#include <map>
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

/// What a result should be: a tree whose nodes are indices into `tensors`.
struct ExpectedResult {
    Argument tree;
    std::vector<at::Tensor> tensors;
    std::vector<at::Tensor> inputs;   ///< of the run that is looked at
    std::map<size_t, size_t> aliases; ///< which of the tensors lie in the memory of which input
    Closeness closeness = Closeness::Bits;
};
std::string difference(const Value& ours, const ExpectedResult& expected);

} // namespace fx
