// SPDX-License-Identifier: GPL-3.0-or-later
// One graph that shows what is different between two: the second one, and in it, where they were, the nodes
// that only the first one has. It is there to be looked at; it does not run.
#pragma once

#include "core/compare/model_diff.h"

#include <map>
#include <string_view>

namespace fx {

/// The earlier ones are said of a node that is several of them.
enum class NodeChange { Added, Removed, OtherCall, Rewired, OtherArguments, Renamed };
/// "removed": for people.
std::string_view nodeChangeText(NodeChange change);

struct ChangeGraph {
    Model model{};
    std::map<NodeId, NodeChange> changes; ///< of nodes of its root graph; not listed: the same in both
};

/// `diff`: of these two.
ChangeGraph changeGraph(const Model& a, const Model& b, const ModelDiff& diff);

} // namespace fx
