// SPDX-License-Identifier: GPL-3.0-or-later
// Results on the device meta that follow from sizes alone, for operators that take long to compute and that
// models are made of. What is no plain case is left to core/torch/bind/meta_fallback.h, as are its errors.
#pragma once

#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

namespace c10 {
class OperatorHandle;
}

namespace fx {

/// Puts the results in the place of the arguments. False, and nothing is done, where it does not know.
bool giveShapes(const c10::OperatorHandle& op, torch::jit::Stack& stack);

} // namespace fx
