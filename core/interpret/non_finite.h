// SPDX-License-Identifier: GPL-3.0-or-later
// Tells NaN and Inf that spoil the result of a run from masks, which are -inf on purpose.
#pragma once

#include "core/interpret/debug_types.h"
#include "core/module/model.h"

#include <functional>
#include <optional>
#include <set>
#include <string>

namespace fx {

/// The known health of a node's value; null if the node has not run.
using HealthOfNode = std::function<const Health*(NodeRef)>;

/// A result of the root's graph that is not finite.
struct NonFiniteResult {
    bool isNan = false; ///< it holds NaN; else Inf
    NodeRef first;      ///< the node that gave the first such value of those that the result comes from
    size_t after = 0;   ///< so many nodes of the graph give such values after it

    /// "NaN: first in log, 22 nodes after it"
    std::string text(const Model& model) const;
};
/// None where all that the graph returns is finite.
std::optional<NonFiniteResult> nonFiniteResult(const Model& model, const HealthOfNode& healthOf);

/// The nodes of a graph whose values hold Inf, and no NaN, because they are masks: their users are softmax,
/// attention, where or masked_fill, whose results are finite, or nodes whose values are masks again, such as
/// the sum of scores and a mask.
std::set<NodeId> masksIn(const Model& model, ModuleId module, const HealthOfNode& healthOf);

} // namespace fx
