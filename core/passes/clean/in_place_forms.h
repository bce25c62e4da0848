// SPDX-License-Identifier: GPL-3.0-or-later
// The call that gives what another gives, and writes it into the first argument.
#pragma once

#include "core/module/edit.h"

#include <functional>

namespace fx {

/// Turns the call into that one. Empty where there is none: relu_ of torch.ops.aten.relu.default and of
/// torch.relu, iadd of operator.add, inplace=True of torch.nn.functional.elu and of a module.
std::function<void(Edit&)> inPlaceForm(const Model& model, ModuleId module, const Node& node);

} // namespace fx
