// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/code_pane.h"

#include "core/base/error.h"
#include "core/module/muted.h"
#include "core/passes/code_pass.h"
#include "widgets/document/graph_document.h"
#include "widgets/panes/code_view.h"
#include "widgets/session/code_service.h"
#include "widgets/session/debug_service.h"
#include "widgets/session/selection.h"
#include "widgets/support/qt_text.h"

#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace fx::ui {

namespace {

/// The line of `now` that alone is new or another than in `before`; -1 if it is not one line.
int onlyChangedLine(const QString& before, const QString& now) {
    const QStringList old = before.split('\n'), fresh = now.split('\n');
    const auto most = std::min(old.size(), fresh.size());
    const auto head = std::mismatch(fresh.begin(), fresh.begin() + most, old.begin()).first - fresh.begin();
    const auto tail =
        std::mismatch(fresh.rbegin(), fresh.rbegin() + (most - head), old.rbegin()).first - fresh.rbegin();
    return fresh.size() - head - tail == 1 ? static_cast<int>(head) : -1;
}

} // namespace

CodePane::CodePane(GraphDocument& document, const CodeService& code, Selection& selection,
                   DebugService& debug, const Theme& theme)
    : m_document(document), m_code(code), m_selection(selection), m_debug(debug),
      m_view(new CodeView(theme, "Generated Python", this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 4, 0, 0);
    column->addWidget(m_view);
    setFocusProxy(m_view);
    m_view->setEditable(true);
    connect(m_view, &CodeView::edited, this, &CodePane::applyText);
    connect(m_view, &CodeView::givenUp, this, &CodePane::showText);
    connect(&code, &CodeService::codeReady, this, &CodePane::showText);
    connect(&selection, &Selection::changed, this, &CodePane::showSelection);
    connect(&selection, &Selection::graphShown, this, [this] { m_typedLine = -1; });
    connect(&debug, &DebugService::stateChanged, this, &CodePane::showRun);
    connect(&debug, &DebugService::stateChanged, this, &CodePane::showSetValues);
    connect(&debug, &DebugService::valueReplaced, this, &CodePane::showSetValues);
    connect(&debug.breakpoints(), &Breakpoints::changed, this, &CodePane::showBreakpoints);
    connect(m_view, &CodeView::lineChosen, this, [this](int line) {
        if (line != m_typedLine)
            m_typedLine = -1;
        if (const NodeId node = m_code.nodeAtLine(line))
            m_selection.select({m_selection.graph(), node});
    });
    connect(m_view, &CodeView::breakpointToggled, this, [this](int line) {
        if (const NodeId node = m_code.nodeAtLine(line))
            m_debug.breakpoints().toggle({m_selection.graph(), node});
    });
    connect(m_view, &CodeView::menuWanted, this, [this](const QPoint& at) {
        QMenu menu;
        menu.addAction("Copy", m_view, &CodeView::copy)->setEnabled(m_view->hasSelectedText());
        menu.addAction("Select all", m_view, &CodeView::selectAll);
        const NodeId node = m_code.nodeAtLine(m_view->lineAt(at));
        if (node)
            menu.addAction("Toggle breakpoint", this, [this, node] {
                m_debug.breakpoints().toggle({m_selection.graph(), node});
            });
        menu.exec(m_view->mapToGlobal(at));
    });
    showText();
}

void CodePane::applyText() {
    const std::string code = utf8(m_view->text());
    // Who goes on with a line after a rest is still at the same edit.
    const int typed = onlyChangedLine(m_code.text(), m_view->text());
    if (std::exchange(m_typedLine, typed) != typed || typed < 0)
        ++m_typing;
    std::optional<Error> fault;
    const auto work = [&](Edit& edit) {
        try {
            writeCode(edit, code);
        } catch (const Error& error) {
            fault = error;
            throw;
        }
    };
    const QString refusal = m_document.perform("Edit code", m_selection.graph(), work, m_typing);
    if (refusal.isEmpty()) {
        m_view->clearFault(); // where the graph has changed, codeReady() has come already
        m_view->settle();
        return;
    }
    // "code:3:7" and the first line of the message: the line itself is on the screen.
    const QStringList place = fault ? qt(fault->place()).split(':') : QStringList();
    const int line = place.size() == 3 ? place[1].toInt() - 1 : 0;
    const int column = place.size() == 3 ? place[2].toInt() - 1 : 0;
    const QString reason = fault ? faultText(fault->message()) : refusal;
    m_view->showFault(line, column, reason.section('\n', 0, 0));
}

void CodePane::showText() {
    m_view->clearFault();
    m_view->showText(m_code.text());
    foldWeights();
    showSelection();
    showRun();
    showSetValues();
    showBreakpoints();
    showMuted();
}

/// The weights before the first call are one line: of a large model they fill many screens.
void CodePane::foldWeights() {
    constexpr int kLeast = 4;
    int first = -1, last = -1;
    for (const Node& node : m_document.model().graph(m_selection.graph())) {
        const int line = m_code.lineOf(node.id);
        if (node.opcode == Opcode::Placeholder || line < 0)
            continue;
        if (node.opcode != Opcode::GetAttr || (last >= 0 && line != last + 1))
            break;
        first = first < 0 ? line : first;
        last = line;
    }
    const int count = first < 0 ? 0 : last - first + 1;
    m_view->fold(first, count < kLeast ? first : last, QString(" %1 weights ").arg(count));
}

void CodePane::showSelection() {
    std::vector<int> lines;
    for (NodeId node : m_selection.nodes())
        lines.push_back(m_code.lineOf(node));
    m_view->mark(CodeView::Mark::Selected, lines);
    if (const NodeId node = m_selection.currentNode())
        m_view->reveal(m_code.lineOf(node));
}

void CodePane::showRun() {
    const NodeRef at = m_debug.run().state().at();
    std::vector<int> lines;
    if (at.node && at.module == m_selection.graph())
        lines.push_back(m_code.lineOf(at.node));
    m_view->mark(CodeView::Mark::Current, lines);
    if (!lines.empty())
        m_view->reveal(lines[0]);
}

void CodePane::showSetValues() {
    std::vector<int> lines;
    for (const NodeRef node : m_debug.run().values().order())
        if (node.module == m_selection.graph() && !m_debug.run().values().record(node)->setTo.empty())
            lines.push_back(m_code.lineOf(node.node));
    m_view->mark(CodeView::Mark::Set, lines);
}

void CodePane::showMuted() {
    std::vector<int> lines;
    for (const Node& node : m_document.model().graph(m_selection.graph()))
        if (const int line = mutedCall(node) ? m_code.lineOf(node.id) : -1; line >= 0)
            lines.push_back(line);
    m_view->mark(CodeView::Mark::Muted, lines);
}

void CodePane::showBreakpoints() {
    std::vector<int> lines;
    for (const Breakpoint& breakpoint : m_debug.breakpoints().all())
        if (breakpoint.kind == Breakpoint::Kind::Node && breakpoint.isEnabled &&
            breakpoint.node.module == m_selection.graph())
            lines.push_back(m_code.lineOf(breakpoint.node.node));
    m_view->mark(CodeView::Mark::Breakpoint, lines);
}

} // namespace fx::ui
