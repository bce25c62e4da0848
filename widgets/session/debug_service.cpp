// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/debug_service.h"

#include "widgets/document/graph_document.h"
#include "widgets/support/qt_text.h"

#include <algorithm>
#include <utility>

namespace fx::ui {

DebugService::DebugService(const GraphDocument& document, std::shared_ptr<RemoteHost> host, QObject* parent)
    : QObject(parent), m_document(document), m_place(std::move(host)), m_inputs(document, m_place.host()),
      m_console(*this, [this](const std::string& text,
                              ConsoleStyle style) { Q_EMIT wrote(wholeQt(text), static_cast<int>(style)); }),
      m_known(document.model()), m_run([this]() -> const Model& { return m_document.model(); }),
      m_running([this] { return m_run.debuggee().running(); }) {
    m_breakpoints.recall(m_console);
    const auto listen = [this](int run, const DebugEvent& event) {
        QMetaObject::invokeMethod(
            this, [this, run, event] { handle(run, event); }, Qt::QueuedConnection);
    };
    m_run.setDebuggee(m_place.makeDebuggee(listen), m_place.host() ? m_place.host()->run() : 0);
    m_run.debuggee().setModel(std::make_shared<const OpenedModel>(document.opened()));
    connect(&m_running, &RunningNode::changed, this, &DebugService::runningChanged);
    connect(&m_place, &RunPlace::changed, this, [this](const QString& fault) {
        tell(fault.isEmpty() ? "connected again" : fault, ConsoleStyle::Dim);
    });
    connect(&m_values, &ValueRequests::originFound, this, [this](const Answer& answer) {
        tell(qt(answer.text), answer.isError ? ConsoleStyle::Fault : ConsoleStyle::Result);
    });
    connect(&document, &GraphDocument::changed, this, &DebugService::follow);
}

DebugService::~DebugService() = default;

const Model& DebugService::model() const {
    return m_document.model();
}

void DebugService::tellState() {
    m_running.setRunning(state() == State::Running);
    Q_EMIT stateChanged();
    m_values.follow();
}

void DebugService::steer(const std::function<void()>& verb) {
    const int before = m_run.state().run;
    verb();
    m_breakpoints.refresh();
    if (m_run.state().run == before)
        return;
    m_console.forgetRun();
    m_values.forget();
    m_gradients.clear();
    Q_EMIT memoryChanged();
    Q_EMIT recordsChanged();
    tellState();
}

void DebugService::start(bool pausesAtEntry) {
    steer([&] { m_run.start(m_inputs.request(pausesAtEntry)); });
}

void DebugService::startWithGradients() {
    steer([&] { m_run.start(m_inputs.requestForGradients()); });
}

void DebugService::resume(const Resume& how) {
    steer([&] { m_run.resume(how, [this] { return m_inputs.request(true); }); });
}

void DebugService::runTo(NodeRef node) {
    steer([&] { m_run.runTo(node, m_inputs.request(false)); });
}

void DebugService::restartFrom(NodeRef node) {
    steer([&] { m_run.restartFrom(node, m_inputs.request(false)); });
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

void DebugService::setBreakpoints(std::vector<Breakpoint> breakpoints) {
    m_breakpoints.set(std::move(breakpoints));
}

void DebugService::handle(int run, const DebugEvent& event) {
    const std::optional<std::set<NodeRef>> again = m_run.take(run, event);
    if (!again)
        return;
    const bool hasPaused = std::get_if<Paused>(&event) != nullptr;
    if (hasPaused || std::get_if<Resumed>(&event) || endsRun(event) || std::get_if<ValuesGone>(&event)) {
        m_console.handle(event);
        if (const auto* finished = std::get_if<Finished>(&event))
            for (const std::string& note : finished->notes)
                Q_EMIT noted(qt(note));
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
        m_gradients.take(*done);
    } else if (std::get_if<MemoryReport>(&event)) {
        Q_EMIT memoryChanged();
    } else if (std::get_if<BreakpointsChanged>(&event)) {
        m_breakpoints.refresh();
    }
    m_console.handle(event);
}

/// Follows an edit of the document.
void DebugService::follow(const Changes& changes, bool isBackwards) {
    const bool wasLive = m_run.state().isLive();
    m_run.follow(updateOf(model(), changes, isBackwards, std::exchange(m_known, ModelExtent(model()))));
    if (state() != State::Idle) {
        if (!changesNoValue(changes))
            m_gradients.clear();
        if (wasLive && !m_run.state().isLive()) {
            m_console.forgetRun();
            tell("the graph has changed, so the run has ended; F5 goes on with the new one",
                 ConsoleStyle::Dim);
        }
        Q_EMIT recordsChanged();
        tellState();
    }
    m_breakpoints.followEdit();
}

} // namespace fx::ui
