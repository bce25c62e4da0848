// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors that a pass makes of others: known by shape at once, worked out when they are first read, as those
// of a model that lies in a file are.
#pragma once

#include "core/module/tensor_slot.h"

#include <vector>

namespace fx {

/// What `make` gives for the values of the sources (an empty slot: an undefined tensor), one slot for each of
/// its results, which are computed together. `make` runs first on tensors without data, for the shapes; what
/// it throws there, this throws. Results are on the device of the first source.
std::vector<TensorSlot>
lazyTensors(std::vector<std::optional<TensorSlot>> sources,
            std::function<std::vector<at::Tensor>(const std::vector<at::Tensor>&)> make);

} // namespace fx
