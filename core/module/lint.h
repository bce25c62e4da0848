// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a graph is well formed: what torch.fx's Graph.lint checks, in its order and its words.
// Not checked: whether shapes fit, whether functions exist, whether a nested graph is well formed itself.
#pragma once

#include "core/module/model.h"

#include <string>
#include <vector>

namespace fx {

struct LintFault {
    NodeId node;
    std::string message;
};

/// All faults, in graph order; the first is the one that torch.fx raises.
std::vector<LintFault> lint(const Model& model, ModuleId module);
/// Throws the first fault as an Error at its node.
void requireSound(const Model& model, ModuleId module);

} // namespace fx
