// SPDX-License-Identifier: GPL-3.0-or-later
// The one way to steer a run, for the window, the console and the command line: it starts and resumes the
// run, goes on after an edit, and keeps the state, the records and the breakpoints. It belongs to one thread;
// its owner passes it the events of the debuggee.
#pragma once

#include "core/module/follow.h"
#include "core/run/debuggee.h"
#include "core/run/run_state.h"
#include "core/run/run_values.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <type_traits>
#include <vector>

namespace fx {

/// Type of the reply to a request.
template <class Request>
using ReplyTo = std::conditional_t<std::is_same_v<Request, Inspect>, Inspection, Answer>;

class RunController {
public:
    /// `model`: returns the model as it is now.
    explicit RunController(std::function<const Model&()> model) : m_model(std::move(model)) {}
    /// `run`: number of a run that is under way; 0: none is.
    void setDebuggee(std::unique_ptr<Debuggee> debuggee, int run = 0);

    Debuggee& debuggee() { return *m_debuggee; }
    const RunState& state() const { return m_state; }
    const RunValues& values() const { return m_values; }
    const std::vector<Breakpoint>& breakpoints() const { return m_breakpoints; }
    /// True if the graph was edited since the run ended, so that its values are those of another graph.
    bool isOutdated() const;
    /// NaN or Inf in the result, once the run has finished; none if all of the result is finite.
    const std::optional<NonFiniteResult>& nonFinite() const { return m_nonFinite; }
    /// Node that explains the end of the run: the one that failed, or the one that gave the first NaN or Inf.
    /// No node if there is none, or if the graph was edited since.
    NodeRef culprit() const;
    /// True if the paused run has yet to execute the node. Its record is then of before a jump, or of an
    /// earlier turn of a loop.
    bool isAhead(NodeRef node) const;
    /// Memory of the values that the debuggee keeps.
    const MemoryReport& memory() const { return m_memory; }

    // Each verb takes the request for the run that it may have to start; resume() makes it only then, as a
    // step must not wait for settings. The breakpoints are added to the request.

    /// Executes all nodes.
    void start(const RunRequest& request);
    /// Resumes the paused run. Without one, goes on after an edit, or starts a run. While a step is under
    /// way, the command waits for its end; it has no effect while the run continues to a breakpoint.
    void resume(const Resume& how, const std::function<RunRequest()>& request);
    void runTo(NodeRef node, const RunRequest& request);
    /// Executes the node and the nodes that depend on it again, and pauses before it.
    void restartFrom(NodeRef node, const RunRequest& request);
    void pause();
    void stop();
    void send(DebugCommand command);
    void setBreakpoints(std::vector<Breakpoint> breakpoints);
    /// Sends a request under a number of its own and passes the reply to `then`. The reply is dropped if
    /// another run begins before, or, of an inspection, if a later one is answered. Returns the number, or 0
    /// if nothing has run that could answer.
    template <class Request>
    int ask(Request request, std::function<void(const ReplyTo<Request>&)> then) {
        if (state().phase == RunState::Phase::Idle && !needsNoRun(request))
            return 0;
        request.request = ++m_lastRequest;
        m_asked[m_lastRequest] = {
            std::is_same_v<Request, Inspect>, needsNoRun(request),
            [then = std::move(then)](const DebugEvent& reply) { then(std::get<ReplyTo<Request>>(reply)); }};
        send(std::move(request));
        return m_lastRequest;
    }
    /// True if a request has not been answered yet.
    bool isAsking() const { return !m_asked.empty(); }

    /// Follows an edit of the model, which ends the run unless it changes no value.
    void follow(const ModelUpdate& update);
    /// Takes an event that the debuggee reported for run `run`. Returns none if the event is a reply, or if
    /// the event is of another run or of one that an edit has ended, else the nodes whose records it
    /// replaces.
    std::optional<std::set<NodeRef>> take(int run, const DebugEvent& event);
    /// Sends the next waiting step. Call this after a pause was reported.
    void resumeWaiting();

private:
    /// True if a run with `request` can reuse values of the last one.
    bool canGoOn(const RunRequest& request) const;
    void begin(RunRequest request);
    void goOn(RunRequest request, NodeRef from = {});
    void leaveRun();
    bool deliver(const DebugEvent& event);
    void stopOnceAt(NodeRef node);

    struct Asked {
        bool isInspection = false, needsNoRun = false;
        std::function<void(const DebugEvent& reply)> then;
    };

    const std::function<const Model&()> m_model;
    RunState m_state;
    RunValues m_values;
    std::optional<NonFiniteResult> m_nonFinite;
    MemoryReport m_memory;
    std::vector<Breakpoint> m_breakpoints;
    std::optional<RunRequest> m_ranWith; ///< request of the run that computed the values
    int m_lastRequest = 0;
    std::map<int, Asked> m_asked; ///< by number, not answered yet
    std::deque<Resume> m_waiting; ///< steps requested while another one is under way
    std::unique_ptr<Debuggee> m_debuggee;
};

} // namespace fx
