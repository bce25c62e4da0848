// SPDX-License-Identifier: GPL-3.0-or-later
// A jump back in a graph that runs: from where it has to run again, and what that does not undo.
#pragma once

#include "core/run/session_values.h"
#include "core/run/write_history.h"

#include <functional>
#include <string>

namespace fx {

/// The node itself, or one further back where a value is gone that is read from there on.
NodeId whereToBegin(const Graph& graph, NodeId target, const std::function<bool(NodeId)>& isThere);

struct WayBack {
    NodeId from;      ///< where it runs again
    std::string note; ///< what that does not undo; empty: nothing has been written
};
/// Lets the graph of the frame, which stands, go back to the target. What was released or written over since
/// is put back as far as it is kept.
WayBack goBack(Interpreter& paused, const RunningFrame& frame, SessionValues& values, WriteHistory& writes,
               NodeId target);

} // namespace fx
