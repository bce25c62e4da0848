// SPDX-License-Identifier: GPL-3.0-or-later
// What is different between two models without running them: nodes that came and went, what calls what with
// what, weights by their values, modules by their classes.
#pragma once

#include "core/compare/node_match.h"
#include "core/compare/text_diff.h"
#include "core/compare/value_pairs.h"
#include "core/io/json.h"
#include "core/module/model.h"

namespace fx {

/// A pair of nodes that are not the same call.
struct ChangedNode {
    NodePair nodes;
    bool isRenamed = false;
    bool isOtherCall = false;       ///< opcode or target
    bool isRewired = false;         ///< it reads other nodes
    bool hasOtherArguments = false; ///< beside the nodes
    std::string before, after;      ///< "relu = torch.relu(x)", each with its own names
};

/// A parameter, buffer or constant by its path. `before` and `after`: "f32[4, 8]"; empty: it is not there.
struct WeightDiff {
    std::string path, before, after;
    std::optional<ValueDifference> difference; ///< where both are there and have data
};

/// A module by its path; "Linear, eval".
struct ModuleDiff {
    std::string path, before, after;
};

struct ModelDiff {
    NodeMatch match;
    std::vector<ChangedNode> changed;
    std::vector<WeightDiff> weights; ///< that differ
    std::vector<ModuleDiff> modules; ///< that differ
    size_t sameWeights = 0;
    std::vector<DiffLine> code; ///< of forward, without what frees values

    bool isSame() const;
};

/// Of the root graphs, and of all modules. Throws an Error where a weight cannot be read.
ModelDiff diffModels(const Model& a, const Model& b, const PairingOptions& options = {});

struct DiffText {
    bool isSideBySide = false;
    size_t width = 70; ///< of a side
};
/// Nodes, weights, modules and code, for a terminal.
std::string diffText(const ModelDiff& diff, const Graph& a, const Graph& b, const DiffText& options = {});
Json diffJson(const ModelDiff& diff, const Graph& a, const Graph& b);

} // namespace fx
