// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/debug_service.h"

#include "core/base/error.h"
#include "core/interpret/breakpoints.h"
#include "core/io/tensor_files.h"
#include "core/python/value.h"
#include "core/torch/devices.h"
#include "widgets/document/graph_document.h"
#include "widgets/support/qt_text.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

/// Requests of the service itself begin here; the console counts its own from 1.
constexpr int kServiceRequests = 1'000'000;

} // namespace

DebugService::DebugService(const GraphDocument& document, QObject* parent)
    : QObject(parent), m_document(document),
      m_console(*this, [this](const std::string& text,
                              ConsoleStyle style) { Q_EMIT wrote(qt(text), static_cast<int>(style)); }),
      m_inspection(kServiceRequests), m_save(2 * kServiceRequests) {
    m_inputs = Settings::debugMemory(qt(document.opened().path));
    recallBreakpoints();
    connect(&document, &GraphDocument::changed, this, [this] {
        // What ran is another graph now. Breakpoints on nodes that are gone are gone too.
        if (m_state != State::Idle) {
            const bool wasLive = m_state == State::Running || m_state == State::Paused;
            clearRun();
            setState(State::Idle);
            if (wasLive)
                Q_EMIT wrote("the graph has changed, so the run has ended; F5 runs the new one",
                             static_cast<int>(ConsoleStyle::Dim));
        }
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
    switch (m_state) {
    case State::Idle:
        return "Not run yet";
    case State::Running:
        return "Running";
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
        return m_fault.isEmpty() ? "Finished in " + timeLabel(m_milliseconds) : m_fault;
    }
    return {};
}

void DebugService::setState(State state) {
    m_state = state;
    Q_EMIT stateChanged();
}

void DebugService::clearRun() {
    ++m_ticket;
    m_session.reset();
    m_running.reset();
    m_frames.clear();
    m_records.clear();
    m_order.clear();
    m_fault.clear();
    m_faultyNode = {};
    m_memory = {};
    // Before the news: a pause without frames would have no place.
    m_state = State::Idle;
    Q_EMIT recordsChanged();
    Q_EMIT memoryChanged();
}

void DebugService::start(bool pausesAtEntry) {
    clearRun();
    DebugOptions options;
    options.pausesAtEntry = pausesAtEntry;
    options.saveTensor = [](const at::Tensor& tensor, const std::string& path) { writeNpy(path, tensor); };
    InputSpecs specs;
    for (auto input = m_inputs.inputs.begin(); input != m_inputs.inputs.end(); ++input)
        if (m_document.model().graph().find(utf8(input.key())))
            specs.byName[utf8(input.key())] = utf8(input.value());
    specs.file = utf8(m_inputs.inputsFile);
    if (!m_inputs.seed.isEmpty())
        options.run.seed = m_inputs.seed.toULongLong();
    try {
        if (!m_device.isEmpty() && m_device != "cpu")
            specs.device = options.run.device = parseDevice(utf8(m_device));
    } catch (const Error& error) {
        m_fault = qt(error.what());
        setState(State::Over);
        return;
    }
    const int ticket = m_ticket;
    m_running = std::make_shared<const OpenedModel>(m_document.opened());
    const auto makeThem = [running = m_running, specs](const Model&) { return makeInputs(*running, specs); };
    setState(State::Running);
    m_session = std::make_unique<DebugSession>(m_running->model, makeThem, options, m_breakpoints,
                                               [this, ticket](const DebugEvent& event) {
                                                   QMetaObject::invokeMethod(
                                                       this,
                                                       [this, ticket, event] {
                                                           if (ticket == m_ticket)
                                                               handle(event);
                                                       },
                                                       Qt::QueuedConnection);
                                               });
}

void DebugService::resume(Resume::Mode mode, NodeRef node) {
    if (m_state != State::Paused) {
        start(mode != Resume::Mode::Continue);
        return;
    }
    send(Resume{mode, node});
}

void DebugService::runTo(NodeRef node) {
    if (m_state == State::Paused) {
        send(Resume{Resume::Mode::Until, node});
        return;
    }
    std::vector<Breakpoint> all = m_breakpoints;
    Breakpoint once;
    once.node = node;
    once.isTemporary = true;
    addBreakpoint(all, once);
    setBreakpoints(std::move(all));
    start(false);
}

void DebugService::pause() {
    if (m_session && m_state == State::Running)
        m_session->pause();
}

void DebugService::stop() {
    if (m_session && (m_state == State::Running || m_state == State::Paused))
        m_session->stop();
}

void DebugService::send(DebugCommand command) {
    if (m_session)
        m_session->send(std::move(command));
}

void DebugService::handle(const DebugEvent& event) {
    if (const auto* executed = std::get_if<Executed>(&event)) {
        for (const NodeRecord& record : executed->records) {
            if (m_records.insert_or_assign(record.node, record).second)
                m_order.push_back(record.node);
        }
        Q_EMIT recordsChanged();
    } else if (const auto* paused = std::get_if<Paused>(&event)) {
        m_frames = paused->frames;
        m_pauseReason = paused->reason;
        setState(State::Paused);
    } else if (std::get_if<Resumed>(&event)) {
        setState(State::Running);
    } else if (const auto* finished = std::get_if<Finished>(&event)) {
        m_milliseconds = finished->milliseconds;
        m_frames.clear();
        setState(State::Over);
    } else if (const auto* failed = std::get_if<Failed>(&event)) {
        const std::string line = failed->message.substr(0, failed->message.find('\n'));
        m_fault = qt(failed->place.empty() ? line : failed->place + ": " + line);
        m_faultyNode = failed->node;
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
    } else if (const auto* answer = std::get_if<Answer>(&event);
               answer && answer->request >= kServiceRequests) {
        Q_EMIT answered(qt(answer->text), answer->isError);
        return;
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

void DebugService::inspect(NodeRef node, const QString& index) {
    ++m_inspection;
    if (m_session) {
        send(Inspect{m_inspection, node, utf8(index)});
        return;
    }
    Inspection none;
    none.request = m_inspection;
    none.node = node;
    none.absence = "No value yet: this node has not run. Step or run to it.";
    Q_EMIT inspected(none);
}

void DebugService::saveValue(NodeRef node, const QString& path) {
    send(SaveValue{++m_save, node, utf8(path)});
}

// --- Breakpoints

bool DebugService::hasBreakpoint(NodeRef node) const {
    return std::any_of(m_breakpoints.begin(), m_breakpoints.end(), [&](const Breakpoint& b) {
        return b.kind == Breakpoint::Kind::Node && b.node == node && b.isEnabled;
    });
}

void DebugService::toggleBreakpoint(NodeRef node) {
    std::vector<Breakpoint> all = m_breakpoints;
    const size_t removed = std::erase_if(
        all, [&](const Breakpoint& b) { return b.kind == Breakpoint::Kind::Node && b.node == node; });
    if (removed == 0) {
        Breakpoint breakpoint;
        breakpoint.node = node;
        addBreakpoint(all, breakpoint);
    }
    setBreakpoints(std::move(all));
}

bool DebugService::stopsAtNonFinite() const {
    return std::any_of(m_breakpoints.begin(), m_breakpoints.end(), [](const Breakpoint& b) {
        return b.kind == Breakpoint::Kind::NonFinite && b.isEnabled;
    });
}

void DebugService::toggleNonFinite() {
    std::vector<Breakpoint> all = m_breakpoints;
    if (std::erase_if(all, [](const Breakpoint& b) { return b.kind == Breakpoint::Kind::NonFinite; }) == 0) {
        Breakpoint breakpoint;
        breakpoint.kind = Breakpoint::Kind::NonFinite;
        addBreakpoint(all, breakpoint);
    }
    setBreakpoints(std::move(all));
}

void DebugService::setBreakpoints(std::vector<Breakpoint> breakpoints) {
    m_breakpoints = std::move(breakpoints);
    send(SetBreakpoints{m_breakpoints});
    rememberBreakpoints();
    Q_EMIT breakpointsChanged();
}

void DebugService::setInputs(const DebugMemory& inputs) {
    const QStringList breakpoints = m_inputs.breakpoints;
    m_inputs = inputs;
    m_inputs.breakpoints = breakpoints;
    Settings::saveDebugMemory(qt(m_document.opened().path), m_inputs);
    Q_EMIT inputsChanged();
}

void DebugService::rememberBreakpoints() {
    m_inputs.breakpoints.clear();
    const Model& model = m_document.model();
    for (const Breakpoint& b : m_breakpoints) {
        if (b.isTemporary)
            continue;
        QString text;
        if (b.kind == Breakpoint::Kind::Node && b.node.module == model.root())
            text = qt(model.graph().node(b.node.node).name);
        else if (b.kind == Breakpoint::Kind::Opcode)
            text = "op=" + qt(b.text);
        else if (b.kind == Breakpoint::Kind::Target)
            text = "target=" + qt(b.text);
        else if (b.kind == Breakpoint::Kind::Scope)
            text = "scope=" + qt(b.text);
        else if (b.kind == Breakpoint::Kind::NonFinite)
            text = "nan";
        if (!text.isEmpty())
            m_inputs.breakpoints.append(b.condition.empty() ? text : text + ", " + qt(b.condition));
    }
    Settings::saveDebugMemory(qt(m_document.opened().path), m_inputs);
}

void DebugService::recallBreakpoints() {
    for (const QString& text : QStringList(m_inputs.breakpoints))
        try {
            addBreakpoint(m_breakpoints, m_console.parseBreakpoint(utf8(text)));
        } catch (const Error&) {
            // It was set on something that the file no longer has.
        }
}

} // namespace fx
