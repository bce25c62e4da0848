// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/debug_service.h"

#include "core/base/error.h"
#include "core/base/shown_text.h"
#include "widgets/document/graph_document.h"
#include "widgets/support/qt_text.h"

#include <algorithm>

namespace fx {

DebugService::DebugService(const GraphDocument& document, std::shared_ptr<RemoteHost> host, QObject* parent)
    : QObject(parent), m_document(document), m_host(std::move(host)),
      m_console(*this, [this](const std::string& text,
                              ConsoleStyle style) { Q_EMIT wrote(wholeQt(text), static_cast<int>(style)); }),
      m_run([this]() -> const Model& { return m_document.model(); }),
      m_running([this] { return m_run.debuggee().running(); }) {
    m_inputs = Settings::debugMemory(memoryPath());
    recallBreakpoints();
    setWatches(m_inputs.watches);
    m_console.shareDisplays([this] { rememberWatches(); });
    m_known = ModelExtent(document.model());
    m_run.setDebuggee(makeDebuggee(), m_host ? m_host->run() : 0);
    connect(&m_running, &RunningNode::changed, this, &DebugService::runningChanged);
    m_run.debuggee().setModel(std::make_shared<const OpenedModel>(document.opened()));
    connect(&document, &GraphDocument::changed, this, &DebugService::follow);
}

DebugService::~DebugService() = default;

const Model& DebugService::model() const {
    return m_document.model();
}

std::vector<DebugFrame> DebugService::frames() const {
    return runState().isPaused() ? runState().stop.frames : std::vector<DebugFrame>();
}

QString DebugService::faultOfNode() const {
    if (!hasFailed())
        return {};
    const std::string brief = briefFault(runState().failure()->message);
    return qt(brief.substr(0, brief.find('\n')));
}

QString DebugService::lastFault() const {
    if (std::get_if<Stopped>(&runState().end))
        return "Stopped";
    const std::string& place = hasFailed() ? runState().failure()->place : std::string();
    return place.empty() ? faultOfNode() : qt(place) + ": " + faultOfNode();
}

QString DebugService::stateText() const {
    if (!m_connectionFault.isEmpty() && !hasFailed())
        return m_connectionFault;
    switch (state()) {
    case State::Idle:
        return "Not run yet";
    case State::Running:
        return m_running.text(m_document.model(), runState().wish);
    case State::Paused: {
        const NodeRef at = currentNode();
        const Graph& graph = m_document.model().graph(at.module);
        size_t done = 0;
        for (const Node& node : graph) {
            if (node.id == at.node)
                break;
            ++done;
        }
        return "Paused before " + qt(graph.node(at.node).name) +
               QString(" · %1 of %2").arg(done + 1).arg(graph.size());
    }
    case State::Over:
        if (isOutdated()) {
            const auto stale =
                std::ranges::count_if(executedOrder(), [this](NodeRef node) { return isStale(node); });
            return stale == 0 ? QString("The graph has changed · all values still hold")
                              : QString("The graph has changed · %1 of %2 values no longer hold")
                                    .arg(stale)
                                    .arg(executedOrder().size());
        }
        if (const QString fault = lastFault(); !fault.isEmpty())
            return fault;
        if (m_nonFinite)
            return "Finished with " + qt(m_nonFinite->text(m_document.model()));
        if (const auto* finished = std::get_if<Finished>(&runState().end))
            return "Finished in " + timeLabel(finished->milliseconds) +
                   (runState().hasGoneOn ? QString(" · %1 of %2 nodes ran again")
                                               .arg(runState().ranCount)
                                               .arg(executedOrder().size())
                                         : QString());
        return "Ended by an edit";
    }
    return {};
}

void DebugService::tellState() {
    m_running.setRunning(state() == State::Running);
    Q_EMIT stateChanged();
    if (m_wanted)
        QMetaObject::invokeMethod(this, &DebugService::askForWanted, Qt::QueuedConnection);
}

RunRequest DebugService::requestFrom(const DebugMemory& memory, bool pausesAtEntry) const {
    RunRequest request = requestOf(memory);
    request.pausesAtEntry = pausesAtEntry;
    if (m_host)
        request.memoryLimitBytes = 0; // the setting is the limit of this machine
    return request;
}

void DebugService::steer(const std::function<void()>& verb) {
    const int before = runState().run;
    const size_t breakpointsBefore = breakpoints().size();
    verb();
    if (breakpoints().size() != breakpointsBefore)
        Q_EMIT breakpointsChanged();
    if (runState().run == before)
        return;
    m_console.forgetRun();
    m_wanted.reset();
    m_nonFinite.reset();
    forgetGradients();
    if (m_run.values().isEmpty()) {
        m_memory = {};
        Q_EMIT memoryChanged();
    }
    Q_EMIT recordsChanged();
    tellState();
}

void DebugService::start(bool pausesAtEntry) {
    steer([&] { m_run.start(requestFrom(m_inputs, pausesAtEntry)); });
}

void DebugService::resume(const Resume& how) {
    steer([&] { m_run.resume(how, [this] { return requestFrom(m_inputs, true); }); });
}

void DebugService::runTo(NodeRef node) {
    steer([&] { m_run.runTo(node, requestFrom(m_inputs, false)); });
}

void DebugService::restartFrom(NodeRef node) {
    steer([&] { m_run.restartFrom(node, requestFrom(m_inputs, false)); });
}

void DebugService::pause() {
    m_run.pause();
    if (state() == State::Running)
        m_running.refresh();
}

void DebugService::stop() {
    m_run.stop();
    if (state() == State::Running)
        m_running.refresh();
}

void DebugService::handle(int run, const DebugEvent& event) {
    const std::optional<std::set<NodeRef>> again = m_run.take(run, event);
    if (!again)
        return;
    const bool hasPaused = std::get_if<Paused>(&event) != nullptr;
    const auto* finished = std::get_if<Finished>(&event);
    const bool movesRun = hasPaused || std::get_if<Resumed>(&event) || endsRun(event);
    if (movesRun) {
        if (finished && !runState().isCut)
            m_nonFinite = m_run.values().nonFinite(model());
        m_console.handle(event);
        if (finished)
            for (const std::string& note : finished->notes)
                Q_EMIT answered(qt(note), true);
        tellState();
        if (hasPaused)
            m_run.resumeWaiting();
        return;
    }
    if (const auto* executed = std::get_if<Executed>(&event)) {
        Q_EMIT recordsChanged();
        if (!again->empty())
            Q_EMIT recordsReplaced(*again);
        if (std::ranges::any_of(executed->records,
                                [](const NodeRecord& each) { return !each.setTo.empty(); }))
            Q_EMIT valueReplaced();
    } else if (const auto* done = std::get_if<Differentiated>(&event)) {
        take(*done);
    } else if (const auto* report = std::get_if<MemoryReport>(&event)) {
        m_memory = *report;
        Q_EMIT memoryChanged();
    } else if (std::get_if<BreakpointsChanged>(&event)) {
        rememberBreakpoints();
        Q_EMIT breakpointsChanged();
    }
    m_console.handle(event);
}

void DebugService::inspect(NodeRef node, const ValueView& view, bool isGradient,
                           const std::vector<NodeRef>& beside) {
    ++m_inspection;
    const bool isNew = m_run.values().isEdited() && !record(node); // the run does not have the node
    if (state() == State::Idle || isNew) {
        m_wanted.reset();
        Inspection none;
        none.node = node;
        none.absence = "No value yet: this node has not run. Step or run to it.";
        Q_EMIT inspected(none);
        return;
    }
    want({0, node, view, {}, isGradient, beside});
}

void DebugService::inspectTensor(TensorId tensor, const ValueView& view, bool isGradient) {
    ++m_inspection;
    want({0, {}, view, tensor, isGradient});
}

/// Views ask several times while a stop becomes known to them; only the last of it is looked up, and a value
/// not before the run stands.
void DebugService::want(Inspect inspect) {
    m_wanted = std::move(inspect);
    QMetaObject::invokeMethod(this, &DebugService::askForWanted, Qt::QueuedConnection);
}

void DebugService::askForWanted() {
    if (m_wanted && (state() != State::Running || (m_wanted->tensor && !m_wanted->isGradient)))
        m_run.ask(*std::exchange(m_wanted, std::nullopt),
                  [this, inspection = m_inspection](const Inspection& reply) {
                      if (inspection == m_inspection) // else another one is wanted by now
                          Q_EMIT inspected(reply);
                  });
}

void DebugService::saveValue(NodeRef node, const QString& path, bool isGradient, TensorId tensor) {
    m_run.ask(SaveValue{0, node, utf8(path), isGradient, tensor},
              [this](const Answer& answer) { Q_EMIT answered(qt(answer.text), answer.isError); });
}

void DebugService::findOrigin(NodeRef node, const QString& trait, const QString& reference) {
    m_run.ask(FindOrigin{0, node, utf8(trait), utf8(reference)}, [this](const Answer& answer) {
        tell(qt(answer.text), answer.isError ? ConsoleStyle::Fault : ConsoleStyle::Result);
        Q_EMIT answered(qt(answer.text.substr(0, answer.text.find('\n'))), answer.isError);
        if (!answer.path.empty())
            Q_EMIT originFound(answer.path.back());
    });
}

int DebugService::evaluate(const QString& expression) {
    if (!runState().isPaused() && !runState().isOver())
        return 0;
    return m_run.ask(Evaluate{0, utf8(expression)},
                     [this](const Answer& answer) { Q_EMIT evaluated(answer); });
}

void DebugService::setValue(NodeRef node, const QString& expression) {
    const int number = m_run.ask(SetValue{0, node, utf8(expression)}, [this, node](const Answer& answer) {
        Q_EMIT valueSet(node, qt(answer.text), answer.isError);
    });
    if (number == 0)
        Q_EMIT valueSet(node, "Nothing has run yet, so there is no value to replace.", true);
}

} // namespace fx
