// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes that are the same computation at another time: what became of a node at the next stage of a
// compilation, what works out the gradient of a call.
#pragma once

#include "core/module/model.h"

#include <map>
#include <string>
#include <vector>

namespace fx {

struct Counterparts {
    std::string title; ///< for people: "Backward", "frame_0_0.aot_joint_graph"
    ModuleId module;   ///< whose graph has them
    std::vector<NodeId> nodes;
};

/// By what the metadata of nodes say (meta::kStages, meta::kSequence); what is no longer there is left out.
/// For a graph as it is now.
class CounterpartFinder {
public:
    CounterpartFinder(const Model& model, ModuleId module) : m_model(model), m_module(module) {}
    std::vector<Counterparts> of(NodeId node) const;

private:
    const Model& m_model;
    ModuleId m_module;
    struct Sides {
        std::vector<NodeId> forward, backward;
    };
    const Sides& sidesOf(int64_t sequence) const;

    /// Made for the first node that has a number: few graphs have any.
    mutable std::map<int64_t, Sides> m_bySequence;
};

} // namespace fx
