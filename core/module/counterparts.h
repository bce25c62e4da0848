// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes that are the same computation at another time: what became of a node at the next stage of a
// compilation, what works out the gradient of a call.
#pragma once

#include "core/module/model.h"

#include <string>
#include <vector>

namespace fx {

struct Counterparts {
    std::string title; ///< for people: "Backward", "frame_0_0.aot_joint_graph"
    ModuleId module;   ///< whose graph has them
    std::vector<NodeId> nodes;
};
/// By what the node's metadata say (meta::kStages, meta::kSequence); what is no longer there is left out.
std::vector<Counterparts> counterpartsOf(const Model& model, ModuleId module, NodeId node);

} // namespace fx
