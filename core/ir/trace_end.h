// SPDX-License-Identifier: GPL-3.0-or-later
// Where a trace ended that could not go on: the last node of such a graph says why in its meta.
#pragma once

#include "core/ir/graph.h"

#include <optional>
#include <string>

namespace fx {

struct TraceEnd {
    const Node& node;
    const std::string& why;
};
/// None in a graph that was traced to its end. As long as the graph is not changed.
std::optional<TraceEnd> traceEndOf(const Graph& graph);

} // namespace fx
