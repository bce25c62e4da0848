// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors from nested lists of numbers, as torch.tensor reads them.
#pragma once

#include "core/python/value.h"

#include <ATen/core/Tensor.h>

#include <optional>

namespace fx {

/// Numbers, 0-dim tensors and nested sequences of them. Without a dtype it is the one that the numbers ask
/// for. Throws PyTorch's error for anything else.
at::Tensor tensorFromData(const Value& data, std::optional<c10::ScalarType> dtype,
                          std::optional<c10::Device> device);

} // namespace fx
