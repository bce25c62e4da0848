// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/debug_service.h"

#include "core/base/error.h"
#include "core/base/shown_text.h"
#include "core/interpret/breakpoints.h"
#include "widgets/document/graph_document.h"
#include "widgets/support/qt_text.h"

#include <algorithm>

namespace fx {

namespace {

/// Requests of the service itself begin here, those of one kind together; the console counts its own from 1.
constexpr int kInspections = 1'000'000, kSavings = 2'000'000, kSettings = 3'000'000, kEvaluations = 4'000'000,
              kOrigins = 5'000'000;

} // namespace

DebugService::DebugService(const GraphDocument& document, std::shared_ptr<RemoteHost> host, QObject* parent)
    : QObject(parent), m_document(document), m_host(std::move(host)),
      m_console(*this, [this](const std::string& text,
                              ConsoleStyle style) { Q_EMIT wrote(wholeQt(text), static_cast<int>(style)); }),
      m_inspection(kInspections), m_save(kSavings), m_evaluation(kEvaluations), m_setting(kSettings),
      m_origin(kOrigins), m_running([this] { return m_debuggee->running(); }) {
    m_inputs = Settings::debugMemory(memoryPath());
    recallBreakpoints();
    setWatches(m_inputs.watches);
    m_console.shareDisplays([this] { rememberWatches(); });
    m_known = ModelExtent(document.model());
    m_debuggee = makeDebuggee();
    connect(&m_running, &RunningNode::changed, this, &DebugService::runningChanged);
    m_debuggee->setModel(std::make_shared<const OpenedModel>(document.opened()));
    connect(&document, &GraphDocument::changed, this, [this](const Changes& changes, bool isBackwards) {
        m_debuggee->follow(updateOf(m_document.model(), changes, isBackwards,
                                    std::exchange(m_known, ModelExtent(m_document.model()))));
        if (m_state.phase != State::Idle)
            follow(changes, isBackwards);
        // Breakpoints on nodes that are gone are gone too.
        const size_t before = m_breakpoints.size();
        std::erase_if(m_breakpoints, [this](const Breakpoint& b) {
            return b.kind == Breakpoint::Kind::Node &&
                   !m_document.model().graph(b.node.module).contains(b.node.node);
        });
        if (m_breakpoints.size() != before)
            Q_EMIT breakpointsChanged();
    });
}

DebugService::~DebugService() = default;

const Model& DebugService::model() const {
    return m_document.model();
}

std::vector<DebugFrame> DebugService::frames() const {
    return m_state.isPaused() ? m_state.stop.frames : std::vector<DebugFrame>();
}

QString DebugService::faultOfNode() const {
    if (!hasFailed())
        return {};
    const std::string brief = briefFault(m_state.failure()->message);
    return qt(brief.substr(0, brief.find('\n')));
}

QString DebugService::lastFault() const {
    if (std::get_if<Stopped>(&m_state.end))
        return "Stopped";
    const std::string& place = hasFailed() ? m_state.failure()->place : std::string();
    return place.empty() ? faultOfNode() : qt(place) + ": " + faultOfNode();
}

const NodeRecord* DebugService::record(NodeRef node) const {
    const auto found = m_records.find(node);
    return found == m_records.end() ? nullptr : &found->second;
}

QString DebugService::stateText() const {
    if (!m_connectionFault.isEmpty() && !hasFailed())
        return m_connectionFault;
    switch (m_state.phase) {
    case State::Idle:
        return "Not run yet";
    case State::Running:
        return m_running.text(m_document.model());
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
            const auto stale = std::ranges::count_if(m_order, [this](NodeRef node) { return isStale(node); });
            return stale == 0 ? QString("The graph has changed · all values still hold")
                              : QString("The graph has changed · %1 of %2 values no longer hold")
                                    .arg(stale)
                                    .arg(m_order.size());
        }
        if (hasBrokenOff())
            return lastFault();
        if (m_nonFinite)
            return "Finished with " + qt(m_nonFinite->text(m_document.model()));
        if (const auto* finished = std::get_if<Finished>(&m_state.end))
            return "Finished in " + timeLabel(finished->milliseconds) +
                   (m_state.hasGoneOn
                        ? QString(" · %1 of %2 nodes ran again").arg(m_state.ranCount).arg(m_order.size())
                        : QString());
        return "Ended by an edit";
    }
    return {};
}

void DebugService::tellState() {
    m_running.setRunning(m_state.phase == State::Running);
    Q_EMIT stateChanged();
    if (m_wanted)
        QMetaObject::invokeMethod(this, &DebugService::askForWanted, Qt::QueuedConnection);
}

/// Forgets how the last run ended, and what waits for the end of a step. Later events of that run are
/// ignored.
void DebugService::forgetEnd() {
    m_state = released(std::move(m_state));
    ++m_state.run;
    m_wanted.reset();
    m_waiting.clear();
    m_edits.clear();
    m_nonFinite.reset();
}

void DebugService::clearRun() {
    forgetEnd();
    m_debuggee->end();
    m_records.clear();
    m_console.forgetValues();
    forgetGradients();
    m_executed.clear();
    m_order.clear();
    m_stale.clear();
    m_leftStale.clear();
    m_memory = {};
    Q_EMIT recordsChanged();
    Q_EMIT memoryChanged();
}

void DebugService::start(bool pausesAtEntry) {
    startAs(m_inputs, pausesAtEntry);
}

void DebugService::startAs(const DebugMemory& memory, bool pausesAtEntry) {
    clearRun();
    m_ranWith = memory;
    RunRequest request = requestOf(memory);
    request.pausesAtEntry = pausesAtEntry;
    begin(std::move(request));
}

void DebugService::begin(RunRequest request) {
    if (m_host)
        request.memoryLimitBytes = 0; // that is of this machine
    request.breakpoints = m_breakpoints;
    m_state = startedRun(m_state.run, request.pausesAtEntry);
    tellState();
    m_debuggee->start(m_state.run, request);
}

void DebugService::resume(Resume::Mode mode, NodeRef node) {
    if (isStepping()) {
        m_waiting.push_back({mode, node}); // a key that is held is faster than the model
        return;
    }
    if (m_state.isBusy())
        return;
    const bool wasPaused = m_state.isPaused();
    const bool isEdited = !m_edits.empty() || !m_stale.empty();
    if (!wasPaused && isEdited && canGoOn())
        goOn(mode != Resume::Mode::Continue);
    else if (!wasPaused)
        start(mode != Resume::Mode::Continue);
    else
        send(Resume{mode, node});
}

/// Only a stop that was asked for lets the next step begin.
void DebugService::takeWaiting() {
    if (pauseReason() != Paused::Reason::Step && pauseReason() != Paused::Reason::Entry)
        m_waiting.clear();
    if (m_waiting.empty())
        return;
    const Resume next = m_waiting.front();
    m_waiting.pop_front();
    resume(next.mode, next.node);
}

void DebugService::runTo(NodeRef node) {
    if (m_state.isPaused()) {
        send(Resume{Resume::Mode::Until, node});
        return;
    }
    stopOnceAt(node);
    start(false);
}

void DebugService::stopOnceAt(NodeRef node) {
    std::vector<Breakpoint> all = m_breakpoints;
    Breakpoint once;
    once.node = node;
    once.isTemporary = true;
    addBreakpoint(all, once);
    setBreakpoints(std::move(all));
}

void DebugService::pause() {
    if (m_state.phase != State::Running)
        return;
    m_state = wished(std::move(m_state), RunState::Wish::Pause);
    m_debuggee->pause();
    m_running.setWish(RunningNode::Wish::Pause);
}

void DebugService::stop() {
    if (!m_state.isLive())
        return;
    m_state = wished(std::move(m_state), RunState::Wish::Stop);
    m_debuggee->stop();
    m_running.setWish(RunningNode::Wish::Stop);
}

void DebugService::send(DebugCommand command) {
    if (m_state.phase == State::Idle && !needsNoRun(command))
        return;
    m_state = next(std::move(m_state), command);
    m_debuggee->send(std::move(command));
}

void DebugService::handle(const DebugEvent& event) {
    if (m_state.isCut && (std::get_if<Paused>(&event) || std::get_if<Resumed>(&event)))
        return; // the run ends as soon as the debuggee has received the stop
    m_state = next(std::move(m_state), event);
    const bool hasPaused = std::get_if<Paused>(&event) != nullptr;
    const auto* finished = std::get_if<Finished>(&event);
    const bool movesRun = hasPaused || finished || std::get_if<Resumed>(&event) ||
                          std::get_if<Failed>(&event) || std::get_if<Stopped>(&event);
    if (movesRun) {
        if (finished && !m_state.isCut)
            m_nonFinite = findNonFinite();
        m_console.handle(event);
        if (finished)
            for (const std::string& note : finished->notes)
                Q_EMIT answered(qt(note), true);
        tellState();
        if (hasPaused)
            takeWaiting();
        return;
    }
    if (const auto* executed = std::get_if<Executed>(&event)) {
        take(*executed);
    } else if (const auto* inspection = std::get_if<Inspection>(&event)) {
        if (inspection->request == m_inspection)
            Q_EMIT inspected(*inspection);
        return;
    } else if (const auto* answer = std::get_if<Answer>(&event); answer && answer->request >= kInspections) {
        take(*answer);
        return;
    } else if (const auto* begun = std::get_if<GoesOn>(&event)) {
        Q_EMIT wrote(m_state.hasGoneOn ? QString("%1 of %2 nodes keep their values")
                                             .arg(begun->kept)
                                             .arg(m_document.model().graph().size())
                                       : "all nodes run again: " + qt(begun->whyAll),
                     static_cast<int>(ConsoleStyle::Dim));
        return;
    } else if (const auto* done = std::get_if<Differentiated>(&event)) {
        take(*done);
    } else if (const auto* report = std::get_if<MemoryReport>(&event)) {
        m_memory = *report;
        Q_EMIT memoryChanged();
    } else if (const auto* changed = std::get_if<BreakpointsChanged>(&event)) {
        m_breakpoints = changed->breakpoints;
        rememberBreakpoints();
        Q_EMIT breakpointsChanged();
    }
    m_console.handle(event);
}

void DebugService::take(const Executed& executed) {
    bool isReplaced = false;
    std::set<NodeRef> replaced;
    // After an edit has ended the run, late records are of the graph before the edit.
    const bool makesFresh = !executed.isRecalled && !m_state.isCut;
    for (const NodeRecord& record : executed.records) {
        if (makesFresh) {
            m_stale.erase(record.node);
            m_leftStale.erase(record.node);
        }
        isReplaced |= !record.setTo.empty();
        const auto [known, isNew] = m_records.try_emplace(record.node, record);
        if (isNew) {
            m_executed.push_back(record.node);
            if (m_document.model().graph(record.node.module).contains(record.node.node))
                m_order.push_back(record.node);
            continue;
        }
        replaced.insert(record.node);
        // What a user has put there took no time.
        const double milliseconds = record.setTo.empty() ? record.milliseconds : known->second.milliseconds;
        known->second = record;
        known->second.milliseconds = milliseconds;
    }
    Q_EMIT recordsChanged();
    if (!replaced.empty())
        Q_EMIT recordsReplaced(replaced);
    if (isReplaced)
        Q_EMIT valueReplaced();
}

void DebugService::take(const Answer& answer) {
    if (answer.request >= kOrigins) {
        Q_EMIT wrote(qt(answer.text),
                     static_cast<int>(answer.isError ? ConsoleStyle::Fault : ConsoleStyle::Result));
        Q_EMIT answered(qt(answer.text.substr(0, answer.text.find('\n'))), answer.isError);
        if (!answer.path.empty())
            Q_EMIT originFound(answer.path.back());
    } else if (answer.request >= kEvaluations) {
        Q_EMIT evaluated(answer);
    } else if (answer.request >= kSettings) {
        Q_EMIT valueSet(m_settingNode, qt(answer.text), answer.isError);
    } else {
        Q_EMIT answered(qt(answer.text), answer.isError);
    }
}

void DebugService::inspect(NodeRef node, const ValueView& view, bool isGradient,
                           const std::vector<NodeRef>& beside) {
    ++m_inspection;
    const bool isNew = !m_edits.empty() && !m_records.contains(node); // the run does not know of it
    if (m_state.phase == State::Idle || isNew) {
        m_wanted.reset();
        Inspection none;
        none.request = m_inspection;
        none.node = node;
        none.absence = "No value yet: this node has not run. Step or run to it.";
        Q_EMIT inspected(none);
        return;
    }
    want({m_inspection, node, view, {}, isGradient, beside});
}

void DebugService::inspectTensor(TensorId tensor, const ValueView& view, bool isGradient) {
    want({++m_inspection, {}, view, tensor, isGradient});
}

/// Views ask several times while a stop becomes known to them; only the last of it is looked up, and a value
/// not before the run stands.
void DebugService::want(Inspect inspect) {
    m_wanted = std::move(inspect);
    QMetaObject::invokeMethod(this, &DebugService::askForWanted, Qt::QueuedConnection);
}

void DebugService::askForWanted() {
    if (m_wanted && (m_state.phase != State::Running || (m_wanted->tensor && !m_wanted->isGradient)))
        m_debuggee->send(*std::exchange(m_wanted, std::nullopt));
}

void DebugService::saveValue(NodeRef node, const QString& path, bool isGradient, TensorId tensor) {
    send(SaveValue{++m_save, node, utf8(path), isGradient, tensor});
}

void DebugService::findOrigin(NodeRef node, const QString& trait, const QString& reference) {
    send(FindOrigin{++m_origin, node, utf8(trait), utf8(reference)});
}

int DebugService::evaluate(const QString& expression) {
    if (!m_state.isPaused() && !m_state.isOver())
        return 0;
    send(Evaluate{++m_evaluation, utf8(expression)});
    return m_evaluation;
}

void DebugService::setValue(NodeRef node, const QString& expression) {
    m_settingNode = node;
    if (m_state.phase != State::Idle)
        send(SetValue{++m_setting, node, utf8(expression)});
    else
        Q_EMIT valueSet(node, "Nothing has run yet, so there is no value to replace.", true);
}

} // namespace fx
