// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

namespace fx {

/// Gradient of the negative log likelihood, decomposed into operators with batching rules and forward
/// gradients. input: [N, C, ...] or [C]; targets: int64 [N, ...] or []; weight: [C]. `pinsZeros` is passed to
/// zeros_like as pin_memory: Python's binding passes false, TorchScript passes none.
at::Tensor nllLossBackward(const at::Tensor& grad, const at::Tensor& input, const at::Tensor& targets,
                           const std::optional<at::Tensor>& weight, int64_t reduction, int64_t ignored,
                           const at::Tensor& total, std::optional<bool> pinsZeros);

} // namespace fx
