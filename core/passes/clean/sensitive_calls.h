// SPDX-License-Identifier: GPL-3.0-or-later
// Calls that lose too much in a dtype of sixteen bits, those that autocast runs in float32, and those that
// PyTorch cannot compute in one on a CPU.
#pragma once

#include "core/module/model.h"

namespace fx {

/// `module`: what a call_module calls, else null.
bool isSensitive(const Module* module, const Node& node);

} // namespace fx
