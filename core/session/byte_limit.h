// SPDX-License-Identifier: GPL-3.0-or-later
// A bound on the memory of all tensors of the process.
#pragma once

#include <cstdint>

namespace fx {

/// From now on for good: a tensor that would take the living ones above `bytes` is refused by an Error that
/// no program can catch. Only those count that are made from now on.
void limitTensorBytes(uint64_t bytes);

} // namespace fx
