// SPDX-License-Identifier: GPL-3.0-or-later
// A GraphModule of a program as a model: its graphs, and the modules and tensors below it.
#pragma once

#include "core/fxpython/program_graph.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace fx {

struct RecordedModule {
    Model model;
    /// For each instance of a module that was recorded, its id.
    std::unordered_map<const Object*, ModuleId> modules;
    /// For each graph, by its module, whose it is and which of its nodes became which.
    struct Nodes {
        std::shared_ptr<ProgramGraph> source;
        NodeMap copies;
    };
    std::unordered_map<ModuleId, Nodes> nodes;
    std::vector<std::string> lost; ///< metadata of nodes that no model can hold: "relu.meta['handle']"
};

/// Whether it is an instance of torch.fx.GraphModule.
bool isGraphModule(Evaluator& evaluator, const Value& value);
/// Copies a graph with its output and its signature; which of its nodes became which.
NodeMap copyGraph(Edit& edit, const Graph& source);
/// Throws TypeError for anything else.
RecordedModule recordModule(Evaluator& evaluator, const Value& graphModule);

} // namespace fx
