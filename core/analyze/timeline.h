// SPDX-License-Identifier: GPL-3.0-or-later
// A run in time: when each node ran, how long each module took, and what memory its values held meanwhile.
// Made of what the run has told (NodeRecord) and of the graph, whose order says when a value is released.
#pragma once

#include "core/interpret/debug_types.h"
#include "core/module/model.h"

#include <string>
#include <vector>

namespace fx {

struct TimelineSpan {
    NodeRef node;
    double start = 0; ///< milliseconds that the nodes before it took: what is done between nodes is left out
    double milliseconds = 0;
    double end() const { return start + milliseconds; }
};

/// A module's nodes that ran one after the other. A module that is called twice, or left and entered again,
/// has several.
struct TimelineScope {
    std::string path; ///< as in ScopeTree; never the root
    int depth = 0;    ///< 0: directly in the root
    double start = 0, end = 0;
    double milliseconds = 0; ///< of its nodes
    NodeId first;
};

/// What is held from this moment on.
struct MemoryPoint {
    double at = 0; ///< as the spans are
    uint64_t bytes = 0;
    NodeId node; ///< that has just run
};

struct LiveValue {
    NodeId node;
    uint64_t bytes = 0; ///< of memory that no earlier one in the list has
};

struct Timeline {
    std::vector<TimelineSpan> spans; ///< in the order in which they ran
    std::vector<TimelineScope> scopes;
    std::vector<MemoryPoint> memory;
    size_t peak = 0;              ///< index into memory
    std::vector<LiveValue> alive; ///< at the peak, the largest first
    double nodeSum = 0;           ///< of all nodes
    double wall = 0;              ///< from the first node's start to the last one's end
};

/// Of one graph's nodes; those of graphs that they call count for them. Weights are no values of a run: they
/// are there before and after it.
Timeline timelineOf(const Graph& graph, ModuleId module, const std::vector<const NodeRecord*>& records);

} // namespace fx
