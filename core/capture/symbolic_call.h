// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of operators on tensors without data, whose sizes may be symbols. No operator has a rule: it is
// called on the device meta for some numbers in the place of the symbols, and each size of its results is the
// formula that gives what it was each time (core/torch/values/size_fitter.h).
#pragma once

#include "core/torch/values/symbolic_number.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

namespace fx {

/// Arguments are replaced by results. Results are on the device that the call would have put them on. Throws
/// what the operator throws, and an Error where its results have other shapes each time in a way that no
/// formula tells.
void callSymbolically(const c10::OperatorHandle& op, torch::jit::Stack& stack,
                      const std::shared_ptr<SymbolEnvironment>& environment);

} // namespace fx
