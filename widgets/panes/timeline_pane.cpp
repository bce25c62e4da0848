// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/timeline_pane.h"

#include "core/analyze/timeline.h"
#include "core/base/text.h"
#include "widgets/document/graph_document.h"
#include "widgets/models/list_rows.h"
#include "widgets/panes/list_view.h"
#include "widgets/panes/timeline_view.h"
#include "widgets/session/debug_service.h"
#include "widgets/session/selection.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace fx::ui {

TimelinePane::TimelinePane(const GraphDocument& document, Selection& selection, DebugService& debug,
                           const Theme& theme)
    : m_document(document), m_selection(selection), m_debug(debug), m_summary(new QLabel),
      m_view(new TimelineView(theme, [this](NodeRef node) { return nameOf(node); })),
      m_alive(new AliveRows(this)),
      m_list(makeListView(*m_alive, "Alive at the peak", "Values at the peak of memory.")) {
    m_summary->setObjectName("timelineSummary");
    m_summary->setAccessibleName("What the run took");
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_summary->hide(); // until there is one
    m_list->hide();
    m_list->setMaximumWidth(320);
    m_list->setMinimumWidth(220);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(m_view, 1);
    row->addWidget(m_list);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 4, 8, 6);
    column->setSpacing(4);
    column->addWidget(m_summary);
    column->addLayout(row, 1);
    setFocusProxy(m_view);
    const auto choose = [this](NodeRef node) {
        m_isFollowing = true;
        m_selection.reveal(node.node);
        m_selection.select(node);
        m_view->setSelected(node);
        m_isFollowing = false;
    };
    connect(m_view, &TimelineView::chosen, this, choose);
    connect(m_view, &TimelineView::scopeChosen, this, [this](const QString& path) {
        m_selection.revealScope(path);
        m_selection.selectScope(path);
    });
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this, choose](const QModelIndex& index) {
                if (!m_isFollowing && index.isValid())
                    choose(m_alive->row(index.row()).node);
            });
    connect(&selection, &Selection::changed, this, &TimelinePane::follow);
    connect(&selection, &Selection::graphShown, this, &TimelinePane::refresh);
    connect(&document, &GraphDocument::changed, this, &TimelinePane::refresh);
    connect(&debug, &DebugService::stateChanged, this, &TimelinePane::refresh);
    connect(&debug, &DebugService::recordsReplaced, this, &TimelinePane::refresh);
}

QString TimelinePane::nameOf(NodeRef node) const {
    const Graph& graph = m_document.model().graph(node.module);
    return graph.contains(node.node) ? qt(graph.node(node.node).name) : QString();
}

void TimelinePane::refresh() {
    if (m_debug.state() == DebugService::State::Running)
        return; // what has run is drawn when it stands
    if (!m_sight.isDue())
        return;
    std::vector<const NodeRecord*> records;
    for (const NodeRef node : m_debug.run().values().order())
        if (!m_debug.run().isAhead(node))
            records.push_back(m_debug.run().values().record(node));
    const ModuleId module = m_selection.graph();
    Timeline timeline = timelineOf(m_document.model().graph(module), module, records);
    QString summary;
    if (!timeline.spans.empty()) {
        const double share = timeline.wall > 0 ? 100 * timeline.nodeSum / timeline.wall : 0;
        summary = QString("%1 took %2 of %3 (%4 %), the rest is looking at their values")
                      .arg(qt(plural(timeline.spans.size(), "node")))
                      .arg(timeLabel(timeline.nodeSum), timeLabel(timeline.wall))
                      .arg(share, 0, 'f', 0);
        const MemoryPoint& peak = timeline.memory[timeline.peak];
        summary += "   " + QString(QChar(0xB7)) + "   values: at most " + byteLabel(peak.bytes) + ", after " +
                   nameOf({module, peak.node});
    }
    m_summary->setText(summary);
    m_summary->setVisible(!summary.isEmpty());
    std::vector<AliveRow> alive;
    for (const LiveValue& value : timeline.alive)
        alive.push_back({{module, value.node}, nameOf({module, value.node}), byteLabel(value.bytes)});
    m_isFollowing = true;
    m_alive->setRows(std::move(alive));
    m_isFollowing = false;
    m_list->setVisible(m_alive->rowCount() > 0);
    m_view->setTimeline(std::move(timeline));
    m_view->setCurrent(m_debug.run().state().at());
    follow();
}

void TimelinePane::follow() {
    if (!m_isFollowing)
        m_view->setSelected(m_selection.current());
}

} // namespace fx::ui
