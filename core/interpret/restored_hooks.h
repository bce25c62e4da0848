// SPDX-License-Identifier: GPL-3.0-or-later
// Hooks that a module had when it was recorded. A model keeps what a module holds, not its hooks; those that
// torch.nn.utils adds are made again from the tensors that they leave.
#pragma once

#include "core/module/model.h"
#include "core/python/evaluator.h"

namespace fx {

/// The hooks of spectral_norm and weight_norm, with the options that they have by default.
void restoreNormHooks(Evaluator& evaluator, const Module& module, const Value& instance);

} // namespace fx
