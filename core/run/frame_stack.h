// SPDX-License-Identifier: GPL-3.0-or-later
// The graphs that are running, outermost first, as a debugger sees them: which node each of them stands at.
// An interpreter tells of itself only by its nodes, so a frame that is gone is noticed at the next node.
#pragma once

#include "core/interpret/debug_types.h"
#include "core/interpret/interpreter.h"
#include "core/module/scopes.h"

#include <chrono>
#include <map>
#include <vector>

namespace fx {

struct RunningFrame {
    using Clock = std::chrono::steady_clock;

    Interpreter* interpreter;     ///< null once the run has failed
    uint64_t activation;          ///< interpreters of one graph after the other may lie at one address
    const ScopeTree* scopes;      ///< of its graph
    NodeRef node;                 ///< that runs, or is about to
    int scope = -1;               ///< of the node before
    Clock::time_point start = {}; ///< when the node began to run
};

class FrameStack {
public:
    explicit FrameStack(const Model& model) : m_model(model) {}

    /// The node is about to run, there.
    RunningFrame& arrive(Interpreter& interpreter, NodeRef node);
    /// The innermost of its frames that have not ended, now that one of its nodes has run.
    RunningFrame& backTo(const Interpreter& interpreter);
    void clear() { m_frames.clear(); }
    /// The interpreters are gone; where they stood, and what is kept of their values, can still be asked for.
    void outlive() {
        for (RunningFrame& frame : m_frames)
            frame.interpreter = nullptr;
    }
    /// The time that a user took does not count for the nodes around.
    void takeNoTime(RunningFrame::Clock::duration time);

    bool empty() const { return m_frames.empty(); }
    size_t size() const { return m_frames.size(); }
    RunningFrame& back() { return m_frames.back(); }
    const RunningFrame& back() const { return m_frames.back(); }
    auto begin() const { return m_frames.begin(); }
    auto end() const { return m_frames.end(); }

    /// As a pause tells of them.
    std::vector<DebugFrame> described() const;
    /// As DebugFrame::graphPath.
    std::string pathOf(ModuleId module) const;

private:
    const ScopeTree& scopesOf(ModuleId module);

    const Model& m_model;
    std::vector<RunningFrame> m_frames;
    std::map<ModuleId, ScopeTree> m_scopes;
};

} // namespace fx
