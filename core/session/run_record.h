// SPDX-License-Identifier: GPL-3.0-or-later
// What a run has told so far, for somebody who comes later: which nodes ran and where it stands, not how it
// came there.
#pragma once

#include "core/session/debuggee.h"

namespace fx {

class RunRecord {
public:
    /// The number of the run; 0: there is none.
    int run() const { return m_run; }
    void start(int run, const RunRequest& request);
    void end() { *this = {}; }
    /// What another run tells is not noted.
    void take(int run, const DebugEvent& event);
    void setBreakpoints(std::vector<Breakpoint> breakpoints) { m_breakpoints = std::move(breakpoints); }
    /// What has to be told, and gives the same view as all that was told. Answers are for those who asked.
    std::vector<DebugEvent> events() const;

private:
    int m_run = 0;
    std::vector<NodeRecord> m_records; ///< the newest of each node, in the order in which they first ran
    std::map<NodeRef, size_t> m_places;
    std::vector<Breakpoint> m_breakpoints;
    std::optional<MemoryReport> m_memory;
    std::optional<Differentiated> m_gradients;
    std::optional<DebugEvent> m_state; ///< the last of those that say where it is
};

} // namespace fx
