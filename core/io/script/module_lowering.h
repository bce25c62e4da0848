// SPDX-License-Identifier: GPL-3.0-or-later
// A model as a TorchScript module: its tree of modules with parameters, buffers, attributes and flags, and
// their graphs as methods. What each node becomes is in graph_lowering.h, what modules of torch.nn do in
// library_calls.h.
#pragma once

#include "core/module/model.h"

#include <torch/csrc/jit/api/module.h>

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace fx {

struct ScriptedModel {
    torch::jit::Module module;
    std::vector<std::string> notes; ///< what a user of the program should know
};

/// A call of a graph by itself.
struct ScriptedCall {
    std::string whyNot; ///< why it has no form; empty: it has
    std::set<std::string> operators =
        {}; ///< LibTorch's that it calls, with those in its modules: "aten::add"
};

/// The calls of the module's graph, whatever becomes of each other. Throws an Error where the modules have no
/// form.
std::unordered_map<NodeId, ScriptedCall> scriptedCalls(const Model& model, ModuleId module);

/// Throws an Error that names the node where the model has no form in TorchScript.
ScriptedModel scripted(const Model& model);

} // namespace fx
