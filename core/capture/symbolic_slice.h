// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

namespace fx {

/// Does the call on a tensor without data, where its bounds depend on symbols whose numbers are known;
/// arguments are replaced by results. False: it is another one.
bool sliceSymbolically(const c10::OperatorHandle& op, torch::jit::Stack& stack);

} // namespace fx
