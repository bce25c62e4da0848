// SPDX-License-Identifier: GPL-3.0-or-later
// Why a pattern is not found: the places that come nearest, and what stands in the way at each.
#pragma once

#include "core/rewrite/subgraph_matcher.h"

#include <string>
#include <vector>

namespace fx {

struct NearMiss {
    NodeId candidate;     ///< the node of the graph that was tried
    NodeId anchor;        ///< for this node of the pattern
    size_t matched = 0;   ///< nodes of the pattern that fit, placeholders not counted
    size_t total = 0;     ///< of so many above that anchor
    std::string obstacle; ///< "argument 1 of 'mul' is 3.0, the pattern has 3"
};

/// The nearest misses: most fitting nodes first, then in graph order. Places that share nothing with the
/// pattern but a placeholder are left out; a call of the same name from elsewhere is not.
std::vector<NearMiss> explainMisses(const SubgraphMatcher& matcher, OwnedGraph target, size_t limit);

/// "add_1: 2 of 3 nodes fit; ..." in one line.
std::string nearMissText(const NearMiss& miss, const SubgraphMatcher& matcher, OwnedGraph target);

} // namespace fx
