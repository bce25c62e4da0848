// SPDX-License-Identifier: GPL-3.0-or-later
// Branches and loops of a TorchScript program. What is known decides while tracing: one branch is walked, and
// loops are unrolled. What data of tensors decides becomes torch.ops.higher_order.cond and while_loop, with
// graphs for the branches, the condition and the body (script_bodies.h).
#pragma once

#include "core/trace/script/script_bodies.h"

namespace fx {

class ScriptControl {
public:
    using RunBlock = std::function<void(const torch::jit::Block&)>;
    ScriptControl(ScriptState& state, RunBlock runBlock)
        : m_state(state), m_bodies(state), m_runBlock(std::move(runBlock)) {}

    void runIf(const torch::jit::Node& node);
    void runLoop(const torch::jit::Node& node);

private:
    /// Which branch is taken; none where that is not known.
    std::optional<bool> decided(const torch::jit::Node& node, const Value& condition);
    void runBranch(const torch::jit::Node& node, const Value& condition);
    [[noreturn]] void failUndecided(const Value& condition, const std::string& reason = {});

    ScriptState& m_state;
    ScriptBodies m_bodies;
    RunBlock m_runBlock;
};

} // namespace fx
