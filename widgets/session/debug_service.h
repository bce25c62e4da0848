// SPDX-License-Identifier: GPL-3.0-or-later
// The debugger as the window sees it: a run's commands and events, the breakpoints, what is known of each
// node that ran. The model runs in a process of its own, here or on another machine, which follows the
// document's edits; everything here is on the interface's thread.
#pragma once

#include "core/console/console.h"
#include "core/interpret/non_finite.h"
#include "core/open/run_inputs.h"
#include "core/session/remote_host.h"
#include "widgets/session/running_node.h"
#include "widgets/session/settings.h"

#include <QObject>

#include <functional>
#include <map>
#include <memory>
#include <set>

namespace fx {

class GraphDocument;

/// A run with what is remembered for its model, and the settings of the machine.
RunRequest requestOf(const DebugMemory& memory);

class DebugService : public QObject, public DebugControl {
    Q_OBJECT

public:
    using State = RunState::Phase;

    /// `host`: which has opened the model and runs it; null: it runs here. A run that is there already is
    /// taken up.
    explicit DebugService(const GraphDocument& document, std::shared_ptr<RemoteHost> host = nullptr,
                          QObject* parent = nullptr);
    ~DebugService() override;

    State state() const { return m_run.state().phase; }
    /// Node that is about to run in the innermost graph; no node unless paused.
    NodeRef currentNode() const { return m_run.state().at(); }
    /// Valid while paused.
    Paused::Reason pauseReason() const { return m_run.state().stop.reason; }
    /// Graphs that run, outermost first; empty unless paused.
    std::vector<DebugFrame> frames() const;
    /// What is known of a node that ran; null if it has not.
    const NodeRecord* record(NodeRef node) const { return m_run.values().record(node); }
    const std::vector<NodeRef>& executedOrder() const { return m_run.values().order(); }
    /// What is known of the gradient of a node's value, or of a tensor of the model; null: nothing, as the
    /// last run was not differentiated or has no such value.
    const GradientRecord* gradient(NodeRef node, TensorId tensor = {}) const;
    /// Of which loss, in words; empty: of none.
    const QString& loss() const { return m_loss; }
    /// Whether the graph was edited since, so that another run would give the node another value.
    bool isStale(NodeRef node) const { return m_run.values().stale().contains(node); }
    /// Whether the paused run has yet to come to a node: what is known of it is of before a jump, or of an
    /// earlier turn of a loop.
    bool isAhead(NodeRef node) const;
    /// Reason why the run failed or stopped, with its place; empty otherwise.
    QString lastFault() const;
    /// First line of the failure, without its place; empty unless the run failed.
    QString faultOfNode() const;
    ErrorCode faultCode() const { return hasFailed() ? m_run.state().failure()->code : ErrorCode::None; }
    bool hasFailed() const { return m_run.state().failure() != nullptr; }
    /// Node that failed; no node unless a node failed.
    NodeRef faultyNode() const { return hasFailed() ? m_run.state().failure()->node : NodeRef(); }
    /// NaN or Inf in the result, once the run has finished; none if all of it is finite.
    const std::optional<NonFiniteResult>& nonFinite() const { return m_nonFinite; }
    /// Whether the graph was edited since the run ended, so that its values are those of another graph.
    bool isOutdated() const { return m_run.isOutdated(); }
    /// The node that the end of the run points at: where it failed, or where NaN or Inf of its result comes
    /// from; none where the graph is another one by now.
    NodeRef culprit() const {
        return isOutdated() ? NodeRef() : m_nonFinite ? m_nonFinite->first : faultyNode();
    }
    const MemoryReport& memory() const { return m_memory; }
    /// "Paused before add_3 · 15 of 177": for the status bar.
    QString stateText() const;
    /// Null: the model runs on this machine.
    const RemoteHost* host() const { return m_host.get(); }
    /// Why nothing is heard of the host; empty: it is.
    const QString& connectionFault() const { return m_connectionFault; }

    /// Starts with a pause at the first node, or runs to the first breakpoint. All nodes run.
    void start(bool pausesAtEntry);
    /// The same to the end, where the gradients of a loss are found: of inputs().loss.
    void startWithGradients();
    /// Runs the node and what depends on it again, by the values that are there, and stops before it.
    void restartFrom(NodeRef node) override;
    /// While a step is under way, another one waits for its turn. Where nothing runs, a run begins; after an
    /// edit only what is stale runs.
    void resume(const Resume& how) override;
    void resume(Resume::Mode mode, NodeRef node = {}) { resume(Resume{mode, node}); }
    bool isStepping() const { return m_run.state().isBusy() && m_run.state().isStepping; }
    /// Runs until `node` is next, from the start if nothing runs.
    void runTo(NodeRef node);
    void pause();
    void stop();

    bool hasBreakpoint(NodeRef node) const;
    void toggleBreakpoint(NodeRef node);
    void toggleNonFinite();
    bool stopsAtNonFinite() const;

    const DebugMemory& inputs() const { return m_inputs; }
    InputSpecs inputSpecs() const;
    /// A run with them in a process of this machine, wherever the model runs: without the files and devices
    /// of its host.
    RunRequest requestHere() const;
    /// Whether a run is under way, or each input was given a value or one can be made.
    bool hasInputs() const;
    void setInputs(const DebugMemory& inputs);
    void setDevice(const QString& device);
    /// Remembers a library of operators that the model needs.
    void addLibrary(const QString& path);

    /// Answered by inspected(), with the newest request only. `isGradient`, `beside`: as in Inspect.
    void inspect(NodeRef node, const ValueView& view, bool isGradient = false,
                 const std::vector<NodeRef>& beside = {});
    /// A tensor of the model, whether or not something runs.
    void inspectTensor(TensorId tensor, const ValueView& view, bool isGradient = false);
    /// `tensor`: of the model, which is saved instead, or its gradient; without the latter it needs no run.
    void saveValue(NodeRef node, const QString& path, bool isGradient = false, TensorId tensor = {});
    /// Looks for the node that first gave NaN or Inf, of those that the node's value comes from. Answered by
    /// originFound() and in the console. `trait`: what is looked for instead, as `why` has it. `reference`:
    /// the file of a run; then for the one that first gave another value than there. Empty: none.
    void findOrigin(NodeRef node, const QString& trait = {}, const QString& reference = {});
    /// Answered by evaluated() with the number that it gives. While nothing runs there are no values: 0.
    int evaluate(const QString& expression);
    /// Puts what an expression gives in place of a node's value until the run is started anew. Answered by
    /// valueSet().
    void setValue(NodeRef node, const QString& expression);

    /// The expressions that are shown at every stop, in the console's words: what is displayed.
    QStringList watches() const;
    void setWatches(const QStringList& watches);

    Console& console() { return m_console; }
    /// Writes into the console pane.
    void tell(const QString& text, ConsoleStyle style) { Q_EMIT wrote(text, static_cast<int>(style)); }

    // DebugControl:
    const Model& model() const override;
    RunController& run() override { return m_run; }
    const RunState& runState() const { return m_run.state(); }
    const std::vector<Breakpoint>& breakpoints() const { return m_run.breakpoints(); }
    void setBreakpoints(std::vector<Breakpoint> breakpoints) override;
    void restart() override { start(true); }
    void quit() override { stop(); }
    void runProgram(const GraphProgram& program) override { Q_EMIT programAsked(program); }

Q_SIGNALS:
    void stateChanged();
    /// While it runs: stateText() says another node, or a longer time.
    void runningChanged();
    void connectionChanged();
    void recordsChanged();
    /// The run was differentiated, or its gradients are gone.
    void gradientsChanged();
    /// Nodes that had run before ran again, or were given another value. Told after recordsChanged().
    void recordsReplaced(const std::set<fx::NodeRef>& nodes);
    void breakpointsChanged();
    void inputsChanged();
    void memoryChanged();
    void inspected(const fx::Inspection& inspection);
    void evaluated(const fx::Answer& answer);
    void originFound(fx::NodeRef node);
    /// What came of setValue(): a line for people.
    void valueSet(fx::NodeRef node, const QString& text, bool isError);
    /// A value is another one, though nothing ran: it was set here or in the console.
    void valueReplaced();
    void watchesChanged();
    /// A line about the graph was typed; console().take() gets what came of it.
    void programAsked(const fx::GraphProgram& program);
    /// Text for the console pane.
    void wrote(const QString& text, int style);
    /// A value was saved, or could not be.
    void answered(const QString& text, bool isError);

private:
    std::unique_ptr<Debuggee> makeDebuggee();
    void handle(int run, const DebugEvent& event);
    void setConnectionFault(const QString& fault);
    void want(Inspect inspect);
    void askForWanted();
    void follow(const Changes& changes, bool isBackwards);
    void take(const Differentiated& done);
    void tellState();
    RunRequest requestFrom(const DebugMemory& memory, bool pausesAtEntry) const;
    /// Calls a verb of the controller, and reports the run that it may have begun.
    void steer(const std::function<void()>& verb);
    void forgetGradients();
    void rememberBreakpoints();
    void recallBreakpoints();
    void rememberWatches();
    void remember();
    QString memoryPath() const;

    const GraphDocument& m_document;
    const std::shared_ptr<RemoteHost> m_host;
    QString m_connectionFault;
    Console m_console;
    std::map<std::pair<NodeRef, TensorId>, GradientRecord> m_gradients;
    QString m_loss;
    DebugMemory m_inputs;
    std::optional<NonFiniteResult> m_nonFinite;
    MemoryReport m_memory;
    int m_inspection = 0;            ///< number of the inspections wanted so far
    std::optional<Inspect> m_wanted; ///< not asked for yet
    ModelExtent m_known;             ///< by the debuggee
    RunController m_run;
    RunningNode m_running; ///< last: it asks the debuggee
};

} // namespace fx
