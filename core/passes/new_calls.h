// SPDX-License-Identifier: GPL-3.0-or-later
// Completes calls that a user has written into a graph: gives them a scope and shapes, and in an exported
// program makes operators of them.
#pragma once

#include "core/passes/recorded_shapes.h"

#include <vector>

namespace fx {

class NewCalls {
public:
    /// Before the edit: in a graph of operators new calls become operators, too.
    explicit NewCalls(Edit& edit);
    /// After it. `calls` in the order of the graph.
    void finish(const std::vector<NodeId>& calls, ShapeRule rule);

private:
    void placeInScope(NodeId call);

    Edit& m_edit;
    const bool m_isOfOperators;
};

} // namespace fx
