// SPDX-License-Identifier: GPL-3.0-or-later
// A debuggee whose events a test waits for, wherever it runs, and all that one tells of a run.
#pragma once

#include "core/session/debuggee.h"

#include <QString>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stdexcept>

namespace fx {

class DebuggeeProbe {
public:
    using Make = std::function<std::unique_ptr<Debuggee>(Debuggee::Listener)>;

    /// `run`: one that is under way already.
    explicit DebuggeeProbe(const Make& make, int run = 0) : m_run(run) {
        debuggee = make([this](int from, const DebugEvent& event) {
            const std::lock_guard lock(m_mutex);
            if (from == m_run || std::get_if<Inspection>(&event)) // which may be about no run
                m_events.push_back(event);
            m_wake.notify_all();
        });
    }

    void start(const RunRequest& request) {
        {
            const std::lock_guard lock(m_mutex);
            m_events.clear();
            ++m_run;
        }
        debuggee->start(m_run, request);
    }
    /// The next event that a run stops or ends with, or that answers.
    DebugEvent next() {
        while (true) {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait_for(lock, std::chrono::seconds(60), [&] { return !m_events.empty(); }))
                throw std::runtime_error("nothing is told");
            DebugEvent event = std::move(m_events.front());
            m_events.pop_front();
            if (const auto* executed = std::get_if<Executed>(&event))
                records.insert(records.end(), executed->records.begin(), executed->records.end());
            else if (const auto* changed = std::get_if<BreakpointsChanged>(&event))
                breakpoints = changed->breakpoints;
            else if (!std::get_if<Resumed>(&event) && !std::get_if<MemoryReport>(&event) &&
                     !std::get_if<ValuesGone>(&event))
                return event;
        }
    }
    template <class Event>
    Event wait() {
        const DebugEvent event = next();
        if (const auto* failed = std::get_if<Failed>(&event); failed && !std::is_same_v<Event, Failed>)
            throw std::runtime_error("the run failed: " + failed->message);
        return std::get<Event>(event);
    }
    /// Waits for an event that next() skips, and leaves it there.
    template <class Event>
    Event hear() {
        const auto isOne = [](const DebugEvent& event) { return std::get_if<Event>(&event) != nullptr; };
        std::unique_lock lock(m_mutex);
        if (!m_wake.wait_for(lock, std::chrono::seconds(60),
                             [&] { return std::any_of(m_events.begin(), m_events.end(), isOne); }))
            throw std::runtime_error("the event does not come");
        return std::get<Event>(*std::find_if(m_events.begin(), m_events.end(), isOne));
    }
    /// From then on the next node runs.
    void waitForResumed() { hear<Resumed>(); }
    DebugEvent ask(DebugCommand command) {
        debuggee->send(std::move(command));
        return next();
    }
    /// The node before which the run stops next.
    NodeRef step(Resume::Mode mode = Resume::Mode::Step) {
        debuggee->send(Resume{mode, {}});
        return wait<Paused>().frames.back().node;
    }

    std::vector<NodeRecord> records;
    std::vector<Breakpoint> breakpoints;

private:
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<DebugEvent> m_events;
    int m_run;

public:
    std::unique_ptr<Debuggee> debuggee; ///< last: its threads end before what they write to
};

/// All that a session tells of a run step by step, as text.
inline std::string storyOf(DebuggeeProbe& heard, const OpenedModel& opened, const RunRequest& request) {
    std::string out;
    heard.start(request);
    while (true) {
        const DebugEvent event = heard.next();
        if (const auto* paused = std::get_if<Paused>(&event)) {
            for (const DebugFrame& frame : paused->frames)
                out += frame.graphPath + '/' +
                       opened.model.graph(frame.node.module).node(frame.node.node).name + ' ';
            out += '\n';
            heard.debuggee->send(Resume{Resume::Mode::Step, {}});
        } else if (const auto* finished = std::get_if<Finished>(&event)) {
            out += "finished " + finished->result + '\n';
            break;
        } else if (const auto* failed = std::get_if<Failed>(&event)) {
            out += "failed " + failed->place + ": " + failed->message + '\n';
            break;
        }
    }
    int asked = 0;
    for (const NodeRecord& record : heard.records) {
        out += opened.model.graph(record.node.module).node(record.node.node).name + " = " +
               valueMetaText(record.value) + (record.health.isFinite() ? "" : " not finite") + '\n';
        const auto inspection = std::get<Inspection>(heard.ask(Inspect{++asked, record.node}));
        out += inspection.absence + inspection.text + inspection.fault + inspection.changedBy;
        if (inspection.statistics && inspection.statistics->mean)
            out += QString::number(*inspection.statistics->mean, 'g', 17).toStdString();
        if (inspection.sample)
            for (const auto& row : inspection.sample->rows)
                for (const std::string& cell : row)
                    out += ' ' + cell;
        out += '\n';
    }
    return out;
}

} // namespace fx
