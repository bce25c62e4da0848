// SPDX-License-Identifier: GPL-3.0-or-later
// What is typed into a console, and what it says.
#pragma once

#include "core/base/text.h"
#include "core/console/console.h"
#include "tests/support/debug_probe.h"

#include <ATen/ATen.h>
#include <QtTest>

#include <condition_variable>
#include <deque>
#include <mutex>

namespace fx {

/// A console over a session, whose answers are collected line by line.
class Talk : public DebugControl {
public:
    explicit Talk(Model model) : m_model(std::move(model)) { say("run"); }

    const Model& model() const override { return m_model; }
    const RunState& runState() const override { return m_state; }
    void send(DebugCommand command) override {
        m_state = next(std::move(m_state), command);
        m_session->send(std::move(command));
    }
    std::vector<Breakpoint> breakpoints() const override { return m_breakpoints; }
    void setBreakpoints(std::vector<Breakpoint> breakpoints) override {
        m_breakpoints = std::move(breakpoints);
        send(SetBreakpoints{m_breakpoints});
    }
    void restart() override {
        m_session.reset();
        m_events.clear();
        m_state = startedRun(m_state.run + 1, true);
        m_session = std::make_unique<DebugSession>(
            m_model, [](const Model&) { return Values{Value(c10::IValue(at::ones({2})))}; }, DebugOptions{},
            m_breakpoints,
            [this](const DebugEvent& event) {
                std::lock_guard lock(m_mutex);
                m_events.push_back(event);
                m_wake.notify_all();
            });
    }
    void quit() override { m_hasQuit = true; }

    /// What the console says to a line.
    std::string say(const std::string& line) {
        m_said.clear();
        m_console.execute(line);
        while (!m_console.isIdle()) {
            DebugEvent event;
            {
                std::unique_lock lock(m_mutex);
                if (!m_wake.wait_for(lock, std::chrono::seconds(60), [&] { return !m_events.empty(); }))
                    return "(no answer)";
                event = m_events.front();
                m_events.pop_front();
            }
            if (const auto* changed = std::get_if<BreakpointsChanged>(&event))
                m_breakpoints = changed->breakpoints;
            m_state = next(std::move(m_state), event);
            m_console.handle(event);
        }
        return join(m_said, "\n");
    }
    bool hasQuit() const { return m_hasQuit; }
    const Console& console() const { return m_console; }

private:
    Model m_model;
    RunState m_state;
    std::vector<Breakpoint> m_breakpoints;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<DebugEvent> m_events;
    std::vector<std::string> m_said;
    bool m_hasQuit = false;
    Console m_console{*this, [this](const std::string& text, ConsoleStyle) { m_said.push_back(text); }};
    std::unique_ptr<DebugSession> m_session;
};

/// "> line | > line": what is typed, and after "=" what is said.
struct Dialogue {
    const char* name;
    std::vector<std::pair<const char*, const char*>> lines;
};

inline void hold(const Model& model, const Dialogue& dialogue) {
    Talk talk(model);
    for (const auto& [line, expected] : dialogue.lines) {
        const std::string said = talk.say(line);
        if (expected)
            QCOMPARE(QString::fromStdString(said), QString(expected));
    }
}

} // namespace fx
