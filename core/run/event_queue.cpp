// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/event_queue.h"

namespace fx {

Debuggee::Listener EventQueue::listener() {
    return [this](int run, const DebugEvent& event) {
        const std::lock_guard lock(m_mutex);
        m_events.emplace_back(run, event);
        m_wake.notify_one();
    };
}

std::optional<std::pair<int, DebugEvent>> EventQueue::take(std::chrono::seconds patience) {
    std::unique_lock lock(m_mutex);
    if (!m_wake.wait_for(lock, patience, [this] { return !m_events.empty(); }))
        return std::nullopt;
    return takeFirst();
}

std::pair<int, DebugEvent> EventQueue::take() {
    std::unique_lock lock(m_mutex);
    m_wake.wait(lock, [this] { return !m_events.empty(); });
    return takeFirst();
}

std::pair<int, DebugEvent> EventQueue::takeFirst() {
    std::pair<int, DebugEvent> first = std::move(m_events.front());
    m_events.pop_front();
    return first;
}

} // namespace fx
