// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

namespace fx {

/// The gradient of the negative log likelihood, by operators that have batching rules and forward gradients.
/// input: [N, C, ...] or [C]; targets: int64 [N, ...] or []; weight: [C]. `pinsZeros` is an argument that
/// Python's binding gives to zeros_like, and TorchScript does not.
at::Tensor nllLossBackward(const at::Tensor& grad, const at::Tensor& input, const at::Tensor& targets,
                           const std::optional<at::Tensor>& weight, int64_t reduction, int64_t ignored,
                           const at::Tensor& total, std::optional<bool> pinsZeros);

} // namespace fx
