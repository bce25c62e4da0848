// SPDX-License-Identifier: GPL-3.0-or-later
// What torch.fx's check_mutable_operations refuses.
#pragma once

#include "core/ir/argument.h"

#include <string>

namespace fx {

/// Throws RuntimeError for a call whose arguments fit one overload of PyTorch's in number and name, and that
/// one writes into an argument. Where several fit, torch.fx lets it pass.
void refuseMutatingCall(const std::string& target, size_t argumentCount, const Keywords& kwargs);

} // namespace fx
