// SPDX-License-Identifier: GPL-3.0-or-later
// What each node of a model costs, from shapes alone: the graph runs on the device meta, and what its nodes
// call below autograd is counted (core/passes/costs/operator_cost.h). Plain values, for tables and pictures.
#pragma once

#include "core/base/progress.h"
#include "core/interpret/graph_inputs.h"
#include "core/interpret/run_settings.h"
#include "core/module/model.h"
#include "core/passes/costs/operator_cost.h"

#include <map>
#include <string>
#include <vector>

namespace fx {

struct NodeCost {
    NodeId node;
    std::vector<OperatorCost> operators; ///< that compute or move something; those of nested graphs, too
    uint64_t flops = 0;
    Traffic traffic;
    std::vector<TensorId> parameters; ///< that it reads
    uint64_t valueBytes = 0;          ///< of the tensors that it gives, whether they are its own or not
    uint64_t ownBytes = 0;            ///< of memory that is new with it
    /// Of the values that are there when it has run, its own and those that it read among them, without the
    /// model's tensors and inputs. The interpreter releases a value after its last reader, and views share.
    uint64_t liveBytes = 0;
    bool hasRun = false;
};

struct ScopeCost {
    std::string path, type; ///< as in ScopeTree; the root's path is empty
    size_t nodes = 0, depth = 0;
    uint64_t flops = 0, parameters = 0, parameterBytes = 0, peakBytes = 0;
    Traffic traffic;
    std::vector<NodeId> members; ///< with those of the scopes in it
};

struct GraphCosts {
    std::vector<NodeCost> nodes;                 ///< of the root graph, in its order
    std::vector<ScopeCost> scopes;               ///< the root first, each before those in it
    std::map<TensorId, uint64_t> parameterSizes; ///< numbers in each
    uint64_t inputBytes = 0, parameterCount = 0, parameterBytes = 0;
    uint64_t peakBytes = 0;     ///< of liveBytes, nested graphs too
    NodeId peakNode;            ///< of the root graph
    bool dependsOnData = false; ///< sizes or branches do, and these are the costs of one case
    const ScopeCost& total() const { return scopes.front(); }
};

/// `inputs`: on the device meta. Throws what a run throws.
GraphCosts analyzeCosts(const Model& model, GraphInputs inputs, Progress& progress);

} // namespace fx
