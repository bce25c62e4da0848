// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors of a model that lie over the same memory, so that a file can keep the memory once and they stay
// views of it.
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <vector>

namespace fx::fxg {

struct SharedViews {
    struct View {
        size_t piece;   ///< index into `pieces`
        int64_t offset; ///< of the tensor's first element, in bytes from the piece's begin
    };
    std::vector<at::Tensor> pieces; ///< uint8 [bytes]
    std::map<size_t, View> views;   ///< by the index of the tensor
};

/// Those of the tensors whose bytes overlap with another's. Only strided tensors of the CPU are looked at.
SharedViews sharedViews(const std::vector<at::Tensor>& tensors);

} // namespace fx::fxg
