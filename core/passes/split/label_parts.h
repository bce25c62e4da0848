// SPDX-License-Identifier: GPL-3.0-or-later
// Parts by what is known of each node alone: where its module is, its tag, its device, its weight.
#pragma once

#include "core/passes/pass.h"
#include "core/passes/split/parts.h"

#include <set>

namespace fx {

/// The nodes of each module that is called at that depth, a part for each call; what its surroundings compute
/// between two of them goes with the one before. Throws where no modules are recorded.
std::vector<Part> partsByScope(const Graph& graph, int64_t depth);

/// The nodes in the order of the graph, cut so that each part has the same share of the weights.
std::vector<Part> partsByWeight(const Graph& graph, const std::function<double(const Node&)>& weightOf,
                                int64_t count);
/// Bytes of tensors of the model, each with the first node that reads it.
std::function<double(const Node&)> stateWeights(const Model& model, ModuleId module);

/// As few parts as a walk along the graph finds that stays on a device as long as it can.
std::vector<Part> partsByDevice(const Graph& graph);

/// The text or number at `key` of its metadata; empty: there is none.
std::string tagOf(const Node& node, std::string_view key);

/// The nodes with the same string at `key` of their metadata; parts in an order in which they can run. Those
/// without get `untagged`, or if that is empty an Error lists them. Throws for a tag that is `taken`, too.
std::vector<Part> partsByTag(const Graph& graph, const std::string& key, const std::string& untagged,
                             const std::set<std::string>& taken);

/// Nodes of one label that can run one after the other.
struct LabelRun {
    int label;
    std::vector<NodeId> nodes; ///< in graph order
};
/// A walk along the calls of a graph: all that is ready of one label, then another label's, that of the first
/// node that is ready. `labels`: by the places of the nodes. `waits`: places of nodes, and of what else each
/// has to come after. Throws where no node is ready.
std::vector<LabelRun> labelRuns(const Graph& graph, const NodePlaces& places, const std::vector<int>& labels,
                                const std::vector<std::pair<size_t, size_t>>& waits,
                                std::optional<int> first = std::nullopt);

} // namespace fx
