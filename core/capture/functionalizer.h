// SPDX-License-Identifier: GPL-3.0-or-later
// The tensors that a run is given, each wrapped, so that what is recorded writes into none of them
// (core/torch/values/functional_tensors.h).
#pragma once

#include "core/python/value.h"

#include <ATen/core/Tensor.h>
#include <torch/library.h>

#include <unordered_map>
#include <vector>

namespace fx {

class Functionalizer {
public:
    Functionalizer();
    /// The same wrapper each time.
    at::Tensor wrap(const at::Tensor& tensor);
    /// The value with all tensors in it wrapped, and the other way.
    Value wrapAll(const Value& value);
    static Value unwrapAll(const Value& value);
    /// Writes into each tensor what has been written into its wrapper, in the order in which they were
    /// wrapped.
    void writeBack() const;

private:
    torch::Library m_kernels; ///< of operators that hide what they write, while this lives
    struct Wrapped {
        at::Tensor tensor, wrapper;
    };
    std::vector<Wrapped> m_wrapped;
    std::unordered_map<const c10::TensorImpl*, size_t> m_places;
};

} // namespace fx
