// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/breakpoints.h"

#include "core/base/error.h"
#include "core/console/console.h"
#include "core/run/breakpoints.h"
#include "widgets/document/graph_document.h"
#include "widgets/session/inputs.h"
#include "widgets/support/qt_text.h"

#include <algorithm>
#include <utility>

namespace fx::ui {

namespace {

/// The breakpoint as the console's "break" takes it; empty: it is not remembered.
QString wordsOf(const Breakpoint& breakpoint, const Model& model) {
    QString text;
    switch (breakpoint.kind) {
    case Breakpoint::Kind::Node:
        if (breakpoint.node.module == model.root())
            text = wholeQt(model.graph().node(breakpoint.node.node).name);
        break;
    case Breakpoint::Kind::Opcode:
        text = "op=" + wholeQt(breakpoint.text);
        break;
    case Breakpoint::Kind::Target:
        text = "target=" + wholeQt(breakpoint.text);
        break;
    case Breakpoint::Kind::Scope:
        text = "scope=" + wholeQt(breakpoint.text);
        break;
    case Breakpoint::Kind::NonFinite:
        text = "nan";
        break;
    }
    if (text.isEmpty() || breakpoint.isTemporary)
        return {};
    return breakpoint.condition.empty() ? text : text + ", " + wholeQt(breakpoint.condition);
}

} // namespace

bool Breakpoints::has(NodeRef node) const {
    return std::ranges::any_of(all(), [&](const Breakpoint& each) {
        return each.kind == Breakpoint::Kind::Node && each.node == node && each.isEnabled;
    });
}

void Breakpoints::toggle(NodeRef node) {
    std::vector<Breakpoint> fresh = all();
    const auto isHere = [&](const Breakpoint& each) {
        return each.kind == Breakpoint::Kind::Node && each.node == node;
    };
    if (std::erase_if(fresh, isHere) == 0) {
        Breakpoint breakpoint;
        breakpoint.node = node;
        addBreakpoint(fresh, breakpoint);
    }
    set(std::move(fresh));
}

bool Breakpoints::stopsAtNonFinite() const {
    return std::ranges::any_of(all(), [](const Breakpoint& each) {
        return each.kind == Breakpoint::Kind::NonFinite && each.isEnabled;
    });
}

void Breakpoints::toggleNonFinite() {
    std::vector<Breakpoint> fresh = all();
    const auto isIt = [](const Breakpoint& each) { return each.kind == Breakpoint::Kind::NonFinite; };
    if (std::erase_if(fresh, isIt) == 0) {
        Breakpoint breakpoint;
        breakpoint.kind = Breakpoint::Kind::NonFinite;
        addBreakpoint(fresh, breakpoint);
    }
    set(std::move(fresh));
}

void Breakpoints::set(std::vector<Breakpoint> breakpoints) {
    m_run.setBreakpoints(std::move(breakpoints));
    m_reported = all();
    remember();
    Q_EMIT changed();
}

void Breakpoints::remember() {
    QStringList texts;
    for (const Breakpoint& each : all())
        if (const QString text = wordsOf(each, m_document.model()); !text.isEmpty())
            texts << text;
    m_inputs.setBreakpoints(texts);
}

void Breakpoints::refresh() {
    if (m_reported != all()) {
        remember();
        followEdit();
    }
}

void Breakpoints::followEdit() {
    if (std::exchange(m_reported, all()) != all())
        Q_EMIT changed();
}

void Breakpoints::recall(const Console& console) {
    std::vector<Breakpoint> fresh;
    for (const QString& text : m_inputs.memory().breakpoints)
        try {
            addBreakpoint(fresh, console.parseBreakpoint(utf8(text)));
        } catch (const Error&) {
            // It was set on something that the file no longer has.
        }
    m_run.setBreakpoints(std::move(fresh));
    m_reported = all();
}

} // namespace fx::ui
