// SPDX-License-Identifier: GPL-3.0-or-later
// What is worked out for the calls that a user writes into a graph: the scope to which they belong, the
// operators that they come to in an exported program, and the shapes of their values.
#pragma once

#include "core/module/edit.h"

#include <vector>

namespace fx {

/// Of which nodes shapes are worked out.
enum class ShapeRule {
    Checked,   ///< of the calls and of all that depends on them; what cannot take them is an Error
    Unchecked, ///< likewise, as far as they fit
    OfCalls    ///< of the calls alone
};
/// Records the shapes that calls, which are new or read other values than before, have now.
void recordShapes(Edit& edit, const std::vector<NodeId>& calls, ShapeRule rule);

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
