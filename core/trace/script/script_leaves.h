// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of leaf modules in TorchScript programs.
#pragma once

#include "core/trace/script/script_state.h"

namespace fx {

class ScriptLeaves {
public:
    explicit ScriptLeaves(ScriptState& state) : m_state(state) {}

    /// Whether the leaf can be run from what the model holds; adds what a traced program keeps in its code
    /// only.
    bool complete(const torch::jit::Module& module, const std::string& type, const std::string& path);
    /// The call_module node; the first of `args` is the module.
    Value record(const torch::jit::Node& node, const std::string& path, const torch::jit::Function& method,
                 Values args);

private:
    ScriptState& m_state;
    std::map<std::string, bool> m_known; ///< by path
};

} // namespace fx
