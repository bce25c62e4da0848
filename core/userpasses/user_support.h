// SPDX-License-Identifier: GPL-3.0-or-later
// What a backend supports, by a user's Python: torch.fx's OperatorSupport, or a function of a node.
#pragma once

#include "core/passes/split/operator_support.h"
#include "core/userpasses/user_pass.h"

namespace fx {

/// The calls of the graph that the file's NAME refuses: an OperatorSupportBase or a class of it, or a
/// function of (submodules, node) or of a node, which may give the reason as text. Evaluates the file.
Refusals userRefusals(const UserPassName& name, const Model& model, ModuleId module);

} // namespace fx
