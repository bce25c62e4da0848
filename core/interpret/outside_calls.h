// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes that touch files, other programs or the terminal: who runs the model is asked before.
#pragma once

#include "core/module/model.h"

namespace fx {

struct OutsideCall {
    ModuleId graph;
    NodeId node;
    std::vector<std::string> texts; ///< that it is called with: paths, mostly
};

/// In all graphs of the model. What a function of the model's own source calls is not looked at: it is
/// refused when it runs.
std::vector<OutsideCall> outsideCalls(const Model& model);

} // namespace fx
