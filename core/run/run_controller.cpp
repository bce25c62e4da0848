// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_controller.h"

#include "core/run/breakpoints.h"

#include <algorithm>
#include <utility>

namespace fx {

namespace {

using Phase = RunState::Phase;

/// Renames of nodes, in the order in which the debuggee has to follow them.
std::vector<Rename> renamesIn(const ModelUpdate& update) {
    std::vector<Rename> out;
    for (const Change& change : update.changes)
        if (const auto* renamed = std::get_if<NodeRenamed>(&std::get<GraphChange>(change.step)))
            out.push_back(
                {{change.module, renamed->node}, update.isBackwards ? renamed->before : renamed->after});
    if (update.isBackwards)
        std::ranges::reverse(out);
    return out;
}

} // namespace

void RunController::setDebuggee(std::unique_ptr<Debuggee> debuggee, int run) {
    m_debuggee = std::move(debuggee);
    m_state = attachedRun(run);
}

bool RunController::isOutdated() const {
    const bool hasBrokenOff = m_state.failure() || std::get_if<Stopped>(&m_state.end);
    return m_values.isEdited() || (!m_values.stale().empty() && !hasBrokenOff);
}

NodeRef RunController::culprit() const {
    return isOutdated() ? NodeRef() : m_nonFinite ? m_nonFinite->first : m_state.faultyNode();
}

bool RunController::isAhead(NodeRef node) const {
    return m_state.isPaused() && std::ranges::any_of(m_state.stop.frames, [&](const DebugFrame& frame) {
               const Graph& graph = m_model().graph(frame.node.module);
               return frame.node.module == node.module && graph.contains(node.node) &&
                      !graph.precedes(node.node, frame.node.node);
           });
}

bool RunController::canGoOn(const RunRequest& request) const {
    return m_state.phase != Phase::Idle && m_state.whyGone.empty() && !m_values.isEmpty() && m_ranWith &&
           m_ranWith->computesAs(request);
}

/// Later events of the run are ignored.
void RunController::leaveRun() {
    m_state = released(std::move(m_state));
    ++m_state.run;
    m_waiting.clear();
    m_nonFinite.reset();
    std::erase_if(m_asked, [](const auto& asked) { return !asked.second.needsNoRun; });
}

void RunController::begin(RunRequest request) {
    request.breakpoints = m_breakpoints;
    m_state = startedRun(m_state.run, request.pausesAtEntry);
    m_debuggee->start(m_state.run, request);
}

void RunController::start(const RunRequest& request) {
    leaveRun();
    m_debuggee->end();
    m_values.clear();
    m_memory = {};
    m_ranWith = request;
    begin(request);
}

void RunController::goOn(RunRequest request, NodeRef from) {
    if (m_state.wish < RunState::Wish::Stop)
        stop(); // a second stop would end the process, and the values with it
    leaveRun();
    m_values.beginAgain(m_model(), from);
    request.changed.emplace(m_values.stale().begin(), m_values.stale().end());
    begin(std::move(request));
}

void RunController::resume(const Resume& how, const std::function<RunRequest()>& request) {
    if (m_state.isBusy()) {
        if (m_state.isStepping)
            m_waiting.push_back(how); // a held key repeats faster than the model steps
        return;
    }
    if (m_state.isPaused()) {
        send(how);
        return;
    }
    RunRequest wanted = request();
    const bool isUntil = how.mode == Resume::Mode::Until;
    wanted.pausesAtEntry = how.mode != Resume::Mode::Continue && !isUntil;
    if (isUntil)
        stopOnceAt(how.node);
    if ((m_values.isEdited() || !m_values.stale().empty()) && canGoOn(wanted))
        goOn(std::move(wanted), isUntil ? how.node : NodeRef());
    else
        start(wanted);
}

void RunController::resumeWaiting() {
    if (!m_state.isPaused() || m_state.isResuming)
        return;
    // A breakpoint in between ends the series of steps.
    const Paused::Reason reason = m_state.stop.reason;
    if (reason != Paused::Reason::Step && reason != Paused::Reason::Entry)
        m_waiting.clear();
    if (m_waiting.empty())
        return;
    const Resume next = m_waiting.front();
    m_waiting.pop_front();
    send(next);
}

void RunController::stopOnceAt(NodeRef node) {
    std::vector<Breakpoint> all = m_breakpoints;
    Breakpoint once;
    once.node = node;
    once.isTemporary = true;
    addBreakpoint(all, once);
    setBreakpoints(std::move(all));
}

void RunController::runTo(NodeRef node, const RunRequest& request) {
    if (m_state.isPaused()) {
        send(Resume{Resume::Mode::Until, node});
        return;
    }
    stopOnceAt(node);
    RunRequest wanted = request;
    wanted.pausesAtEntry = false;
    start(wanted);
}

void RunController::restartFrom(NodeRef node, const RunRequest& request) {
    stopOnceAt(node);
    RunRequest wanted = request;
    wanted.pausesAtEntry = false;
    if (canGoOn(wanted))
        goOn(std::move(wanted), node);
    else
        start(wanted);
}

void RunController::pause() {
    m_state = wished(std::move(m_state), RunState::Wish::Pause);
    if (m_state.wish == RunState::Wish::Pause)
        m_debuggee->pause();
}

void RunController::stop() {
    if (!m_state.isLive())
        return;
    m_state = wished(std::move(m_state), RunState::Wish::Stop);
    m_debuggee->stop();
}

void RunController::send(DebugCommand command) {
    if (m_state.phase == Phase::Idle && !needsNoRun(command))
        return;
    m_state = next(std::move(m_state), command);
    m_debuggee->send(std::move(command));
}

void RunController::setBreakpoints(std::vector<Breakpoint> breakpoints) {
    m_breakpoints = std::move(breakpoints);
    send(SetBreakpoints{m_breakpoints});
}

void RunController::follow(const ModelUpdate& update) {
    m_debuggee->follow(update);
    const Model& model = m_model();
    if (m_state.phase != Phase::Idle) {
        if (changesNoValue(update.changes)) {
            for (const Rename& rename : renamesIn(update))
                send(rename);
        } else {
            if (m_state.wish < RunState::Wish::Stop)
                stop();
            m_state = edited(std::move(m_state));
            m_waiting.clear();
        }
        m_values.follow(update.changes, update.isBackwards, model);
        if (m_nonFinite)
            m_nonFinite = m_values.nonFinite(model); // the node that it names may be gone
    }
    std::erase_if(m_breakpoints, [&](const Breakpoint& each) {
        return each.kind == Breakpoint::Kind::Node && !model.graph(each.node.module).contains(each.node.node);
    });
}

/// Returns true if the event is a reply.
bool RunController::deliver(const DebugEvent& event) {
    const auto* inspection = std::get_if<Inspection>(&event);
    const auto* answer = std::get_if<Answer>(&event);
    if (!inspection && !answer)
        return false;
    const int number = inspection ? inspection->request : answer->request;
    const auto found = m_asked.find(number);
    if (found == m_asked.end() || found->second.isInspection != (inspection != nullptr))
        return true;
    const auto then = std::move(found->second.then);
    m_asked.erase(found);
    if (inspection) // a session answers the newest of the inspections that wait
        std::erase_if(m_asked,
                      [&](const auto& asked) { return asked.second.isInspection && asked.first < number; });
    then(event);
    return true;
}

std::optional<std::set<NodeRef>> RunController::take(int run, const DebugEvent& event) {
    if (!concerns(m_state, run, event))
        return std::nullopt;
    if (m_state.isCut && (std::get_if<Paused>(&event) || std::get_if<Resumed>(&event)))
        return std::nullopt;
    m_state = next(std::move(m_state), event);
    if (m_state.isOver())
        m_waiting.clear();
    if (deliver(event))
        return std::nullopt;
    if (const auto* changed = std::get_if<BreakpointsChanged>(&event))
        m_breakpoints = changed->breakpoints;
    if (const auto* report = std::get_if<MemoryReport>(&event))
        m_memory = *report;
    if (std::get_if<Finished>(&event) && !m_state.isCut)
        m_nonFinite = m_values.nonFinite(m_model());
    if (const auto* executed = std::get_if<Executed>(&event))
        return m_values.take(*executed, m_model(), m_state.isCut);
    return std::set<NodeRef>();
}

} // namespace fx
