// SPDX-License-Identifier: GPL-3.0-or-later
// Events that a debuggee reports on its thread, for the thread that owns the run.
#pragma once

#include "core/run/debuggee.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace fx {

class EventQueue {
public:
    /// Listener that appends to this queue, which outlives the debuggee.
    Debuggee::Listener listener();
    /// Waits for the next event and returns it with the number of its run. None if none arrives within
    /// `patience`.
    std::optional<std::pair<int, DebugEvent>> take(std::chrono::seconds patience);
    /// The same without a limit.
    std::pair<int, DebugEvent> take();

private:
    std::pair<int, DebugEvent> takeFirst();

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<std::pair<int, DebugEvent>> m_events;
};

} // namespace fx
