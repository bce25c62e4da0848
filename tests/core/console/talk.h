// SPDX-License-Identifier: GPL-3.0-or-later
// What is typed into a console, and what it says.
#pragma once

#include "core/base/text.h"
#include "core/console/console.h"
#include "core/run/event_queue.h"
#include "core/session/debuggee.h"

#include <ATen/ATen.h>
#include <QtTest>

namespace fx {

/// A console over a session, whose answers are collected line by line.
class Talk : public DebugControl {
public:
    explicit Talk(Model model) : m_opened(std::make_shared<OpenedModel>()) {
        for (const Node& node : model.graph())
            if (node.opcode == Opcode::Placeholder)
                m_request.inputs[node.name] = "torch.ones(2)";
        m_opened->model = std::move(model);
        m_run.setDebuggee(std::make_unique<LocalDebuggee>(m_events.listener()));
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
            const auto reported = m_events.take(std::chrono::seconds(60));
            if (!reported)
                return "(no answer)";
            if (m_run.take(reported->first, reported->second))
                m_console.handle(reported->second);
        }
        return join(m_said, "\n");
    }
    bool hasQuit() const { return m_hasQuit; }
    const Console& console() const { return m_console; }

private:
    const std::shared_ptr<OpenedModel> m_opened;
    RunRequest m_request;
    EventQueue m_events;
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
