// SPDX-License-Identifier: GPL-3.0-or-later
// The largest parts of supported nodes that can run as one: torch.fx's CapabilityBasedPartitioner.
#pragma once

#include "core/passes/split/operator_support.h"
#include "core/passes/split/parts.h"

#include <set>

namespace fx {

struct CapabilitySettings {
    bool allowsSingleNode = false; ///< else parts of at most one function that computes are left out
    std::set<std::string> nonComputeOps, allowedSingleNodeOps; ///< by their qualified names
    bool skipsHorizontalFusion = false; ///< join only parts of which one reads the other
};

/// Parts of the nodes that are not refused, in torch.fx's order, without names. Adds to `refusals` those of
/// the parts that are left out.
std::vector<Part> capabilityParts(const Graph& graph, Refusals& refusals, const CapabilitySettings& settings);

} // namespace fx
