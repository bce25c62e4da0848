// SPDX-License-Identifier: GPL-3.0-or-later
// What is typed into a console, and what it says.
#pragma once

#include "core/base/text.h"
#include "core/console/console.h"
#include "core/session/debuggee.h"

#include <ATen/ATen.h>
#include <QtTest>

#include <condition_variable>
#include <deque>
#include <mutex>

namespace fx {

/// A console over a session, whose answers are collected line by line.
class Talk : public DebugControl {
public:
    explicit Talk(Model model) : m_opened(std::make_shared<OpenedModel>()) {
        for (const Node& node : model.graph())
            if (node.opcode == Opcode::Placeholder)
                m_request.inputs[node.name] = "torch.ones(2)";
        m_opened->model = std::move(model);
        m_run.setDebuggee(std::make_unique<LocalDebuggee>([this](int run, const DebugEvent& event) {
            std::lock_guard lock(m_mutex);
            m_events.emplace_back(run, event);
            m_wake.notify_all();
        }));
        m_run.debuggee().setModel(m_opened);
        say("run");
    }

    const Model& model() const override { return m_opened->model; }
    RunController& run() override { return m_run; }
    void setBreakpoints(std::vector<Breakpoint> breakpoints) override {
        m_run.setBreakpoints(std::move(breakpoints));
    }
    void resume(const Resume& how) override {
        m_run.resume(how, [this] { return m_request; });
    }
    void restartFrom(NodeRef node) override { m_run.restartFrom(node, m_request); }
    void restart() override { m_run.start(m_request); }
    void quit() override { m_hasQuit = true; }

    /// What the console says to a line.
    std::string say(const std::string& line) {
        m_said.clear();
        m_console.execute(line);
        while (!m_console.isIdle()) {
            int run = 0;
            DebugEvent event;
            {
                std::unique_lock lock(m_mutex);
                if (!m_wake.wait_for(lock, std::chrono::seconds(60), [&] { return !m_events.empty(); }))
                    return "(no answer)";
                std::tie(run, event) = m_events.front();
                m_events.pop_front();
            }
            if (m_run.take(run, event))
                m_console.handle(event);
        }
        return join(m_said, "\n");
    }
    bool hasQuit() const { return m_hasQuit; }
    const Console& console() const { return m_console; }

private:
    const std::shared_ptr<OpenedModel> m_opened;
    RunRequest m_request;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<std::pair<int, DebugEvent>> m_events; ///< each with the number of its run
    std::vector<std::string> m_said;
    bool m_hasQuit = false;
    Console m_console{*this, [this](const std::string& text, ConsoleStyle) { m_said.push_back(text); }};
    RunController m_run{[this]() -> const Model& {
        return m_opened->model;
    }}; ///< last, as its debuggee reports from a thread
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
