// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a node may still run, in the graphs that run and in those that they are going to call. Branches and
// loops are not looked into: a node in them may run wherever they are reached.
#pragma once

#include "core/run/frame_stack.h"

#include <map>
#include <optional>
#include <set>

namespace fx {

class LaterRuns {
public:
    LaterRuns(const Model& model, NodeRef node);

    NodeRef node() const { return m_node; }
    /// From where the frames stand; the node about to run itself does not count as later.
    bool mayCome(const FrameStack& frames) const;

private:
    bool isLeading(ModuleId graph);
    void look(ModuleId graph);

    const Model& m_model;
    NodeRef m_node;
    std::map<ModuleId, NodeId>
        m_last;                ///< of each graph's nodes that are it or lead to it; none: no such node
    std::set<NodeRef> m_loops; ///< nodes that may lead to it more than once
};

} // namespace fx
