// SPDX-License-Identifier: GPL-3.0-or-later
// A jump back in a graph that runs: from where it has to run again, and what that does not undo.
#pragma once

#include "core/ir/graph.h"

#include <functional>
#include <string>

namespace fx {

/// The node itself, or one further back where a value is gone that is read from there on.
NodeId whereToBegin(const Graph& graph, NodeId target, const std::function<bool(NodeId)>& isThere);

/// What going back to the target does not undo; empty: nothing has been written. `now`: about to run.
std::string writtenSince(const Graph& graph, NodeId target, NodeId now,
                         const std::function<bool(NodeId)>& hasRun);

} // namespace fx
