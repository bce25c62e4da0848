// SPDX-License-Identifier: GPL-3.0-or-later
// A debug session whose events a test waits for, one after the other.
#pragma once

#include "core/python/value.h"
#include "core/run/debug_session.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <stdexcept>

namespace fx {

class DebugProbe {
public:
    DebugProbe(Model model, Values inputs, std::vector<Breakpoint> breakpoints = {},
               DebugOptions options = {}, std::optional<EarlierRun> earlier = std::nullopt,
               std::set<NodeRef> changed = {})
        : m_session(
              std::move(model), [inputs](const Model&) { return inputs; }, options, std::move(breakpoints),
              [this](const DebugEvent& event) {
                  std::lock_guard lock(m_mutex);
                  m_events.push_back(event);
                  m_wake.notify_all();
              },
              std::move(earlier), std::move(changed)) {}

    /// The next event of the type; others before it are dropped, but an end of the run that was not waited
    /// for throws.
    template <class Event>
    Event wait() {
        while (true) {
            const DebugEvent event = take();
            if (const auto* found = std::get_if<Event>(&event))
                return *found;
            if (const auto* failed = std::get_if<Failed>(&event))
                throw std::runtime_error("the run failed: " + failed->message);
            if (std::get_if<Finished>(&event))
                throw std::runtime_error("the run is finished");
        }
    }

    /// The next stop, or how the run ended.
    std::variant<Paused, Finished, Failed> stopOrEnd() {
        while (true) {
            const DebugEvent event = take();
            if (const auto* paused = std::get_if<Paused>(&event))
                return *paused;
            if (const auto* finished = std::get_if<Finished>(&event))
                return *finished;
            if (const auto* failed = std::get_if<Failed>(&event))
                return *failed;
        }
    }

    /// Resumes, and gives the name of the node where the run stops next.
    std::string resume(Resume::Mode mode, NodeRef node = {}) {
        m_session.send(Resume{mode, node});
        return stop();
    }
    std::string stop() {
        m_last = wait<Paused>();
        const NodeRef at = m_last.frames.back().node;
        return m_session.model().graph(at.module).node(at.node).name;
    }
    Answer evaluate(const std::string& expression) {
        m_session.send(Evaluate{1, expression});
        return wait<Answer>();
    }

    DebugSession& session() { return m_session; }
    const Paused& last() const { return m_last; }
    const std::vector<NodeRecord>& records() const { return m_records; }
    const MemoryReport& report() const { return m_report; }

private:
    DebugEvent take() {
        std::unique_lock lock(m_mutex);
        if (!m_wake.wait_for(lock, std::chrono::seconds(60), [&] { return !m_events.empty(); }))
            throw std::runtime_error("the session says nothing");
        const DebugEvent event = std::move(m_events.front());
        m_events.pop_front();
        if (const auto* executed = std::get_if<Executed>(&event))
            m_records.insert(m_records.end(), executed->records.begin(), executed->records.end());
        if (const auto* report = std::get_if<MemoryReport>(&event))
            m_report = *report;
        return event;
    }

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<DebugEvent> m_events;
    std::vector<NodeRecord> m_records;
    MemoryReport m_report;
    Paused m_last;
    DebugSession m_session; ///< last: its thread ends before what it writes to
};

} // namespace fx
