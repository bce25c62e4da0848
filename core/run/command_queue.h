// SPDX-License-Identifier: GPL-3.0-or-later
// What other threads want of a session: commands in their order, breakpoints as soon as may be, and to pause,
// to stop or to end.
#pragma once

#include "core/interpret/debug_types.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

namespace fx {

class CommandQueue {
public:
    // From any thread:
    void send(DebugCommand command);
    void pause() { m_wantsPause = true; }
    /// The run is to be broken off.
    void stop();
    /// Nobody will ask anything more.
    void end();

    // From the session's:
    bool isStopped() const { return m_isStopped; }
    bool takePause() { return m_wantsPause.exchange(false); }
    bool hasBreakpoints() const { return m_hasBreakpoints; }
    /// None if they are the same as before.
    std::optional<std::vector<Breakpoint>> takeBreakpoints();
    /// Whether a look at a value is of no use any more: the run is to go on, or another value is asked for.
    bool isOvertaken(bool isOver);
    /// Waits for the next one; none when the session ends or, if it is not over yet, is stopped.
    std::optional<DebugCommand> next(bool isOver);

private:
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<DebugCommand> m_commands;
    std::vector<Breakpoint> m_breakpoints;
    std::atomic<bool> m_hasBreakpoints = false, m_isStopped = false, m_wantsPause = false;
    bool m_isEnding = false;
};

} // namespace fx
