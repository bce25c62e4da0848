// SPDX-License-Identifier: GPL-3.0-or-later
// A model as a TorchScript module: its tree of modules with parameters, buffers, attributes and flags, and
// their graphs as methods. What each node becomes is in graph_lowering.h, what modules of torch.nn do in
// library_calls.h.
#pragma once

#include "core/module/model.h"

#include <torch/csrc/jit/api/module.h>

#include <string>
#include <vector>

namespace fx {

struct ScriptedModel {
    torch::jit::Module module;
    std::vector<std::string> notes; ///< what a user of the program should know
};

/// Throws an Error that names the node where the model has no form in TorchScript.
ScriptedModel scripted(const Model& model);

} // namespace fx
