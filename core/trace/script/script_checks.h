// SPDX-License-Identifier: GPL-3.0-or-later
// What of a TorchScript program only checks its inputs: a graph is of inputs that pass.
#pragma once

#include "core/python/value.h"

#include <torch/csrc/jit/ir/ir.h>

namespace fx {

/// Whether the block does nothing but raise an exception.
bool onlyRaises(const torch::jit::Block& block);
/// Whether a branch or a loop gives nothing but what a check of the inputs reads, which need not be known.
bool areForChecks(const torch::jit::Node& node);

/// A value that nobody needs to know.
Value unknownValue();
bool isUnknown(const Value& value);

} // namespace fx
