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
        if (m_state != State::Idle)
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

NodeRef DebugService::currentNode() const {
    return m_state == State::Paused && !m_frames.empty() ? m_frames.back().node : NodeRef();
}

const NodeRecord* DebugService::record(NodeRef node) const {
    const auto found = m_records.find(node);
    return found == m_records.end() ? nullptr : &found->second;
}

QString DebugService::stateText() const {
    if (!m_connectionFault.isEmpty() && !m_hasFailed)
        return m_connectionFault;
    switch (m_state) {
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
        if (!m_fault.isEmpty())
            return m_fault;
        if (m_nonFinite)
            return "Finished with " + qt(m_nonFinite->text(m_document.model()));
        return "Finished in " + timeLabel(m_milliseconds) +
               (m_hasGoneOn ? QString(" · %1 of %2 nodes ran again").arg(m_ranCount).arg(m_order.size())
                            : QString());
    }
    return {};
}

void DebugService::setState(State state) {
    m_state = state;
    m_running.setRunning(state == State::Running);
    Q_EMIT stateChanged();
    if (m_wanted)
        QMetaObject::invokeMethod(this, &DebugService::askForWanted, Qt::QueuedConnection);
}

/// How the last run ended, and what was to be done while it ran.
void DebugService::forgetEnd() {
    ++m_run;
    m_wanted.reset();
    m_waiting.clear();
    m_isStepping = false;
    m_isCut = false;
    m_frames.clear();
    m_edits.clear();
    m_fault.clear();
    m_nodeFault.clear();
    m_faultCode = ErrorCode::None;
    m_hasFailed = false;
    m_hasGoneOn = false;
    m_ranCount = 0;
    m_faultyNode = {};
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
    // Before the news: a pause without frames would have no place.
    m_state = State::Idle;
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
    setState(State::Running);
    m_debuggee->start(m_run, request);
}

void DebugService::resume(Resume::Mode mode, NodeRef node) {
    if (isStepping()) {
        m_waiting.push_back({mode, node}); // a key that is held is faster than the model
        return;
    }
    const bool wasPaused = m_state == State::Paused;
    const bool isEdited = !m_edits.empty() || !m_stale.empty();
    if (!wasPaused && isEdited && canGoOn())
        goOn(mode != Resume::Mode::Continue);
    else if (!wasPaused)
        start(mode != Resume::Mode::Continue);
    m_isStepping = mode != Resume::Mode::Continue;
    if (wasPaused)
        send(Resume{mode, node});
}

/// Only a stop that was asked for lets the next step begin.
void DebugService::takeWaiting() {
    if (m_pauseReason != Paused::Reason::Step && m_pauseReason != Paused::Reason::Entry)
        m_waiting.clear();
    if (m_waiting.empty())
        return;
    const Resume next = m_waiting.front();
    m_waiting.pop_front();
    resume(next.mode, next.node);
}

void DebugService::runTo(NodeRef node) {
    if (m_state == State::Paused) {
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
    if (m_state != State::Running)
        return;
    m_debuggee->pause();
    m_running.setWish(RunningNode::Wish::Pause);
}

void DebugService::stop() {
    if (m_state != State::Running && m_state != State::Paused)
        return;
    m_debuggee->stop();
    m_running.setWish(RunningNode::Wish::Stop);
}

void DebugService::send(DebugCommand command) {
    if (m_state != State::Idle || needsNoRun(command))
        m_debuggee->send(std::move(command));
}

void DebugService::handle(const DebugEvent& event) {
    if (m_isCut && (std::get_if<Paused>(&event) || std::get_if<Resumed>(&event)))
        return; // it ends as soon as it hears of it
    if (const auto* executed = std::get_if<Executed>(&event)) {
        take(*executed);
    } else if (const auto* paused = std::get_if<Paused>(&event)) {
        m_frames = paused->frames;
        m_pauseReason = paused->reason;
        setState(State::Paused);
        takeWaiting();
    } else if (std::get_if<Resumed>(&event)) {
        setState(State::Running);
    } else if (const auto* finished = std::get_if<Finished>(&event)) {
        m_milliseconds = finished->milliseconds;
        m_nonFinite = findNonFinite();
        for (const std::string& note : finished->notes)
            Q_EMIT answered(qt(note), true);
        m_frames.clear();
        setState(State::Over);
    } else if (const auto* failed = std::get_if<Failed>(&event)) {
        const std::string brief = briefFault(failed->message);
        m_nodeFault = qt(brief.substr(0, brief.find('\n')));
        m_fault = failed->place.empty() ? m_nodeFault : qt(failed->place) + ": " + m_nodeFault;
        m_hasFailed = true;
        m_faultyNode = failed->node;
        m_faultCode = failed->code;
        m_frames.clear();
        setState(State::Over);
    } else if (std::get_if<Stopped>(&event)) {
        m_fault = "Stopped";
        m_frames.clear();
        setState(State::Over);
    } else if (const auto* inspection = std::get_if<Inspection>(&event)) {
        if (inspection->request == m_inspection)
            Q_EMIT inspected(*inspection);
        return;
    } else if (const auto* answer = std::get_if<Answer>(&event); answer && answer->request >= kInspections) {
        take(*answer);
        return;
    } else if (const auto* begun = std::get_if<GoesOn>(&event)) {
        m_hasGoneOn = begun->whyAll.empty();
        Q_EMIT wrote(m_hasGoneOn ? QString("%1 of %2 nodes keep their values")
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
    m_ranCount += executed.records.size();
    for (const NodeRecord& record : executed.records) {
        m_stale.erase(record.node);
        m_leftStale.erase(record.node);
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
    if (m_state == State::Idle || isNew) {
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
    if (m_wanted && (m_state != State::Running || (m_wanted->tensor && !m_wanted->isGradient)))
        m_debuggee->send(*std::exchange(m_wanted, std::nullopt));
}

void DebugService::saveValue(NodeRef node, const QString& path, bool isGradient, TensorId tensor) {
    send(SaveValue{++m_save, node, utf8(path), isGradient, tensor});
}

void DebugService::findOrigin(NodeRef node, const QString& trait, const QString& reference) {
    send(FindOrigin{++m_origin, node, utf8(trait), utf8(reference)});
}

int DebugService::evaluate(const QString& expression) {
    if (m_state == State::Idle || m_state == State::Running)
        return 0;
    send(Evaluate{++m_evaluation, utf8(expression)});
    return m_evaluation;
}

void DebugService::setValue(NodeRef node, const QString& expression) {
    m_settingNode = node;
    if (m_state != State::Idle)
        send(SetValue{++m_setting, node, utf8(expression)});
    else
        Q_EMIT valueSet(node, "Nothing has run yet, so there is no value to replace.", true);
}

} // namespace fx
