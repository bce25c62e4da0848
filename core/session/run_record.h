// SPDX-License-Identifier: GPL-3.0-or-later
// Digest of the events of a run for a client that attaches later: the records of the nodes, and the state of
// the run.
#pragma once

#include "core/run/run_state.h"
#include "core/session/debuggee.h"

namespace fx {

class RunRecord {
public:
    /// The number of the run; 0: there is none.
    int run() const { return m_state.run; }
    void start(int run, const RunRequest& request);
    void end() { *this = {}; }
    /// Ignores the events of other runs.
    void take(int run, const DebugEvent& event);
    void setBreakpoints(std::vector<Breakpoint> breakpoints) { m_breakpoints = std::move(breakpoints); }
    /// Returns events that lead a new client to the same view as all events so far. Replies are left out.
    std::vector<DebugEvent> events() const;

private:
    RunState m_state;
    std::vector<NodeRecord> m_records; ///< the newest of each node, in the order in which they first ran
    std::map<NodeRef, size_t> m_places;
    std::vector<Breakpoint> m_breakpoints;
    std::optional<MemoryReport> m_memory;
    std::optional<Differentiated> m_gradients;
};

} // namespace fx
