// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/still_graph.h"

#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QLabel>
#include <QVBoxLayout>

namespace fx::ui {

StillGraph::StillGraph(const OpenedModel& opened, const QString& title, const Theme& theme, ModuleId shown)
    : m_document(opened), m_module(shown ? shown : opened.model.root()), m_selection(m_document),
      m_layout(m_document, m_selection, TextMetrics(theme.textFont(), theme.fixedFont())),
      m_canvas(new CanvasView(m_document, m_selection, m_layout, nullptr, theme)) {
    m_selection.showGraph(m_module);
    QObject::connect(&m_layout, &LayoutService::layoutReady, m_canvas, [this] {
        if (m_selection.part() && !m_isSought)
            m_canvas->look().fit();
    });
    auto* name = new QLabel(title);
    name->setTextFormat(Qt::PlainText);
    name->setContentsMargins(10, 4, 10, 4);
    m_canvas->setAccessibleName(title);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(name);
    column->addWidget(m_canvas, 1);
}

std::vector<OperatorEntry> StillGraph::operators() const {
    return operatorTable(m_document.model(), m_module, [](NodeRef) { return nullptr; });
}

void StillGraph::select(NodeId node) {
    const NodeRef there{m_module, node};
    if (m_selection.current() == there && m_selection.nodes().size() == 1)
        return;
    m_selection.showGraph(m_module);
    m_selection.reveal(node);
    m_selection.select(there);
}

void StillGraph::selectScope(const QString& path) {
    m_selection.showGraph(m_module);
    if (m_selection.scopes().find(utf8(path)) <= 0)
        return;
    m_selection.revealScope(path);
    m_canvas->look().expectSought();
    m_selection.selectScope(path);
}

void StillGraph::seek(NodeId node) {
    m_isSought = true;
    m_canvas->look().expectSought();
    select(node);
}

void StillGraph::showAround(const std::vector<NodeId>& nodes) {
    m_selection.showWhole();
    m_selection.selectNodes(nodes);
    m_selection.showPart(GraphPart::Kind::Around);
}

} // namespace fx::ui
