// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/steps_pane.h"

#include "widgets/document/graph_document.h"
#include "widgets/panes/list_view.h"
#include "widgets/session/debug_service.h"
#include "widgets/session/selection.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QVBoxLayout>

namespace fx::ui {

StepsPane::StepsPane(const GraphDocument& document, Selection& selection, DebugService& debug,
                     const Theme& theme)
    : m_document(document), m_selection(selection), m_debug(debug), m_rows(new StepRows(this)),
      m_view(makeListView(*m_rows, "Steps", "Nothing has run. F5 runs the model, F10 steps through it.")) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 4, 4);
    column->addWidget(m_view);
    setFocusProxy(m_view);
    m_view->header()->resizeSection(0, 56);
    m_view->header()->resizeSection(1, 220);
    m_view->header()->resizeSection(2, 220);
    m_view->header()->resizeSection(3, 80);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& index) {
                if (!m_isFollowing && index.isValid())
                    m_selection.select(m_rows->row(index.row()).node);
            });
    connect(&debug, &DebugService::recordsChanged, this, &StepsPane::refresh);
    connect(&debug, &DebugService::recordsReplaced, this, &StepsPane::replace);
    connect(&document, &GraphDocument::changed, this, [this] { // names, and which nodes there are
        m_rows->setRows({});
        m_places.clear();
        refresh();
    });
    const auto dress = [this, &theme] { m_rows->setFaultColor(theme.tokens().fault); };
    connect(&theme, &Theme::changed, this, dress);
    dress();
    refresh();
}

StepRow StepsPane::rowOf(NodeRef node) const {
    const NodeRecord& record = *m_debug.run().values().record(node);
    StepRow row;
    row.node = node;
    row.name = qt(m_document.model().graph(node.module).node(node.node).name);
    row.value = qt(valueMetaText(record.value));
    if (!record.setTo.empty())
        row.value += "   set to " + qt(record.setTo);
    row.time = timeLabel(record.milliseconds);
    row.isFinite = record.health.isFinite();
    row.health = row.isFinite ? "finite" : record.health.hasNan ? "NaN" : "Inf";
    return row;
}

void StepsPane::replace(const std::set<NodeRef>& nodes) {
    for (const NodeRef node : nodes)
        m_rows->setRow(m_places.at(node), rowOf(node));
}

void StepsPane::refresh() {
    const std::vector<NodeRef>& order = m_debug.run().values().order();
    const size_t known = m_rows->rows().size();
    m_isFollowing = true;
    if (known > order.size()) {
        m_rows->setRows({});
        m_places.clear();
    }
    std::vector<StepRow> fresh;
    for (size_t i = m_rows->rows().size(); i < order.size(); ++i) {
        m_places[order[i]] = static_cast<int>(i);
        fresh.push_back(rowOf(order[i]));
    }
    m_rows->append(std::move(fresh));
    m_isFollowing = false;
    if (m_rows->rows().size() > known)
        m_view->scrollToBottom();
    Q_EMIT countChanged(static_cast<int>(order.size()));
}

} // namespace fx::ui
