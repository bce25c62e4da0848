// SPDX-License-Identifier: GPL-3.0-or-later
// The lists that the user keeps with a model: where a run stops, and what is shown when it does.
#include "core/base/error.h"
#include "core/run/breakpoints.h"
#include "widgets/document/graph_document.h"
#include "widgets/session/debug_service.h"
#include "widgets/support/qt_text.h"

#include <algorithm>

namespace fx {

// --- Breakpoints

bool DebugService::hasBreakpoint(NodeRef node) const {
    return std::ranges::any_of(breakpoints(), [&](const Breakpoint& b) {
        return b.kind == Breakpoint::Kind::Node && b.node == node && b.isEnabled;
    });
}

void DebugService::toggleBreakpoint(NodeRef node) {
    std::vector<Breakpoint> all = breakpoints();
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
    return std::ranges::any_of(breakpoints(), [](const Breakpoint& b) {
        return b.kind == Breakpoint::Kind::NonFinite && b.isEnabled;
    });
}

void DebugService::toggleNonFinite() {
    std::vector<Breakpoint> all = breakpoints();
    if (std::erase_if(all, [](const Breakpoint& b) { return b.kind == Breakpoint::Kind::NonFinite; }) == 0) {
        Breakpoint breakpoint;
        breakpoint.kind = Breakpoint::Kind::NonFinite;
        addBreakpoint(all, breakpoint);
    }
    setBreakpoints(std::move(all));
}

void DebugService::setBreakpoints(std::vector<Breakpoint> breakpoints) {
    m_run.setBreakpoints(std::move(breakpoints));
    rememberBreakpoints();
    Q_EMIT breakpointsChanged();
}

void DebugService::rememberBreakpoints() {
    m_inputs.breakpoints.clear();
    const Model& model = m_document.model();
    for (const Breakpoint& b : breakpoints()) {
        if (b.isTemporary)
            continue;
        QString text;
        if (b.kind == Breakpoint::Kind::Node && b.node.module == model.root())
            text = wholeQt(model.graph().node(b.node.node).name);
        else if (b.kind == Breakpoint::Kind::Opcode)
            text = "op=" + wholeQt(b.text);
        else if (b.kind == Breakpoint::Kind::Target)
            text = "target=" + wholeQt(b.text);
        else if (b.kind == Breakpoint::Kind::Scope)
            text = "scope=" + wholeQt(b.text);
        else if (b.kind == Breakpoint::Kind::NonFinite)
            text = "nan";
        if (!text.isEmpty())
            m_inputs.breakpoints.append(b.condition.empty() ? text : text + ", " + wholeQt(b.condition));
    }
    remember();
}

void DebugService::recallBreakpoints() {
    std::vector<Breakpoint> all;
    for (const QString& text : QStringList(m_inputs.breakpoints))
        try {
            addBreakpoint(all, m_console.parseBreakpoint(utf8(text)));
        } catch (const Error&) {
            // It was set on something that the file no longer has.
        }
    m_run.setBreakpoints(std::move(all));
}

// --- Watches

QStringList DebugService::watches() const {
    QStringList out;
    for (const std::string& expression : m_console.displays())
        out << wholeQt(expression);
    return out;
}

void DebugService::setWatches(const QStringList& watches) {
    std::vector<std::string> displays;
    for (const QString& watch : watches)
        displays.push_back(utf8(watch));
    m_console.setDisplays(std::move(displays));
    rememberWatches();
}

void DebugService::rememberWatches() {
    if (m_inputs.watches != watches()) {
        m_inputs.watches = watches();
        remember();
    }
    Q_EMIT watchesChanged();
}

bool DebugService::isAhead(NodeRef node) const {
    return runState().isPaused() &&
           std::any_of(runState().stop.frames.begin(), runState().stop.frames.end(),
                       [&](const DebugFrame& frame) {
                           const Graph& graph = m_document.model().graph(frame.node.module);
                           return frame.node.module == node.module && graph.contains(node.node) &&
                                  !graph.precedes(node.node, frame.node.node);
                       });
}

} // namespace fx
