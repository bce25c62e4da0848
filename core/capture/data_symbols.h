// SPDX-License-Identifier: GPL-3.0-or-later
// What depends on data, while operators are recorded on tensors that have none: numbers that are read out of
// tensors, and how many elements something finds, are symbols that nothing is known of, u0, u1 ... and, where
// they are no whole numbers, zuf0 ..., as torch.fx has them.
#pragma once

#include "core/torch/values/symbolic_number.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <unordered_map>

namespace fx {

class DataSymbols {
public:
    /// The number in the tensor, where a program has said what it is.
    void setNumber(const at::Tensor& tensor, const c10::SymNode& number);

    /// Does the call on tensors without data, if its results depend on data; arguments are replaced by
    /// results. False: they do not. Throws as callSymbolically() does.
    bool call(const c10::OperatorHandle& op, torch::jit::Stack& stack,
              const std::shared_ptr<SymbolEnvironment>& environment);

private:
    /// The same tensor gives the same number until it is written into.
    struct Known {
        c10::weak_intrusive_ptr<c10::TensorImpl> tensor;
        uint32_t version = 0;
        c10::SymNode number;
    };
    using KnownOf = std::unordered_map<const c10::TensorImpl*, Known>;

    c10::SymNode numberIn(const at::Tensor& tensor, SymbolEnvironment& environment);
    /// How many elements of it are not 0.
    c10::SymInt countOf(const at::Tensor& tensor, SymbolEnvironment& environment);
    void index(const c10::OperatorHandle& op, torch::jit::Stack& stack,
               const std::shared_ptr<SymbolEnvironment>& environment);

    KnownOf m_numbers, m_counts;
};

} // namespace fx
