// SPDX-License-Identifier: GPL-3.0-or-later
// The debugger of the window: one run with its console, breakpoints, inputs and gradients, and what happens
// to it as signals. The model runs in a process of its own, here or on another machine, which follows the
// document's edits; everything here is on the interface's thread.
#pragma once

#include "core/console/console.h"
#include "widgets/session/breakpoints.h"
#include "widgets/session/gradients.h"
#include "widgets/session/inputs.h"
#include "widgets/session/run_place.h"
#include "widgets/session/running_node.h"
#include "widgets/session/value_requests.h"

#include <QObject>

#include <functional>
#include <memory>
#include <set>

namespace fx::ui {

class GraphDocument;

class DebugService : public QObject, public DebugControl {
    Q_OBJECT

public:
    using State = RunState::Phase;

    /// `host`: the one that opened the model; a run that it has is taken up. Null: the model runs here.
    explicit DebugService(const GraphDocument& document, std::shared_ptr<RemoteHost> host = nullptr,
                          QObject* parent = nullptr);
    ~DebugService() override;

    const Model& model() const override;
    RunController& run() override { return m_run; }
    const RunController& run() const { return m_run; }
    State state() const { return m_run.state().phase; }
    /// Node that runs, while the state is Running.
    const RunningNode& running() const { return m_running; }
    const RunPlace& place() const { return m_place; }
    Inputs& inputs() { return m_inputs; }
    const Inputs& inputs() const { return m_inputs; }
    Breakpoints& breakpoints() { return m_breakpoints; }
    const Breakpoints& breakpoints() const { return m_breakpoints; }
    const Gradients& gradients() const { return m_gradients; }
    ValueRequests& values() { return m_values; }
    Console& console() { return m_console; }

    // The verbs of RunController, with the inputs that are set.

    /// Executes all nodes. `pausesAtEntry`: pauses before the first one.
    void start(bool pausesAtEntry);
    /// Executes all nodes and computes the gradients of the loss.
    void startWithGradients();
    void restartFrom(NodeRef node) override;
    void resume(const Resume& how) override;
    void resume(Resume::Mode mode, NodeRef node = {}) { resume(Resume{mode, node}); }
    void runTo(NodeRef node);
    void pause();
    void stop();

    /// Writes into the console pane.
    void tell(const QString& text, ConsoleStyle style) { Q_EMIT wrote(text, static_cast<int>(style)); }

    // DebugControl:
    void setBreakpoints(std::vector<Breakpoint> breakpoints) override;
    void restart() override { start(true); }
    void quit() override { stop(); }
    void runProgram(const GraphProgram& program) override { Q_EMIT programAsked(program); }

Q_SIGNALS:
    void stateChanged();
    /// While it runs: runText() names another node, or a longer time.
    void runningChanged();
    void recordsChanged();
    /// Nodes that had run before ran again, or were given another value. Told after recordsChanged().
    void recordsReplaced(const std::set<fx::NodeRef>& nodes);
    void memoryChanged();
    /// A value is another one, though nothing ran: it was set here or in the console.
    void valueReplaced();
    /// A line about the graph was typed; console().take() gets what came of it.
    void programAsked(const fx::GraphProgram& program);
    /// Text for the console pane.
    void wrote(const QString& text, int style);
    /// A remark about the end of a run.
    void noted(const QString& text);

private:
    void handle(int run, const DebugEvent& event);
    void follow(const Changes& changes, bool isBackwards);
    void tellState();
    /// Calls a verb of the controller, and reports the run that it may have begun.
    void steer(const std::function<void()>& verb);

    const GraphDocument& m_document;
    RunPlace m_place;
    Inputs m_inputs;
    Console m_console;
    Gradients m_gradients;
    ModelExtent m_known; ///< by the debuggee
    RunController m_run;
    Breakpoints m_breakpoints{m_document, m_run, m_inputs};
    ValueRequests m_values{m_run};
    RunningNode m_running; ///< last: it asks the debuggee
};

} // namespace fx::ui
