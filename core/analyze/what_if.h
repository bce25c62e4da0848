// SPDX-License-Identifier: GPL-3.0-or-later
// Answers "how long would it take if these nodes ran in another dtype, on another device, or as one kernel".
#pragma once

#include "core/analyze/device.h"

#include <set>

namespace fx {

struct WhatIf {
    std::set<NodeId> nodes;                              ///< of the root graph; empty: all of them
    std::optional<c10::ScalarType> dtype = std::nullopt; ///< what is floating there is in this one
    std::optional<Device> device = std::nullopt;         ///< where they run
    bool areFused = false; ///< one launch, and what only they read is never in memory
};

struct WhatIfResult {
    Prediction before, after;         ///< of the nodes
    double total = 0, totalAfter = 0; ///< seconds of the whole graph
    double bytes = 0, bytesAfter = 0; ///< that the nodes read and write
};

/// "1.5 ms become 0.8 ms, 12 MB become 6 MB; the whole 9 ms becomes 8.3 ms".
std::string whatIfText(const WhatIfResult& result);

WhatIfResult askWhatIf(const Graph& graph, const GraphCosts& costs, const Device& device,
                       const WhatIf& question);

/// The nodes that these words name: a node, or all nodes of a scope by its path. Throws an Error for a word
/// that is neither.
std::set<NodeId> namedNodes(const Graph& graph, const GraphCosts& costs,
                            const std::vector<std::string>& words);

} // namespace fx
