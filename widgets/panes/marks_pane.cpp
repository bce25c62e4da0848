// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/marks_pane.h"

#include "core/module/node_marks.h"
#include "widgets/document/graph_document.h"
#include "widgets/models/list_rows.h"
#include "widgets/panes/list_view.h"
#include "widgets/session/selection.h"
#include "widgets/support/qt_text.h"

#include <QVBoxLayout>

namespace fx::ui {

MarksPane::MarksPane(const GraphDocument& document, Selection& selection)
    : m_document(document), m_selection(selection), m_rows(new MarkRows(this)),
      m_view(
          makeListView(*m_rows, "Marks",
                       "No marks yet: B bookmarks the selected node, N writes a note on it, C colours it.")) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 4, 4);
    column->addWidget(m_view);
    setFocusProxy(m_view);
    m_view->header()->resizeSection(0, 150);
    m_view->header()->resizeSection(1, 110);
    const auto follow = [this](const QModelIndex& index) {
        if (index.isValid())
            Q_EMIT nodeWanted(m_rows->row(index.row()).node);
    };
    connect(m_view, &QTreeView::clicked, this, follow);
    connect(m_view, &QTreeView::activated, this, follow);
    connect(&document, &GraphDocument::changed, this, &MarksPane::refresh);
    refresh();
}

int MarksPane::count() const {
    return m_rows->rowCount();
}

void MarksPane::refresh() {
    std::vector<MarkRow> rows;
    const Model& model = m_document.model();
    model.forEachModule(model.root(), [&](ModuleId module, const std::string&) {
        if (!model.module(module).graph)
            return;
        for (const Node& node : model.graph(module)) {
            const NodeMark mark = markOf(node);
            if (mark == NodeMark())
                continue;
            QStringList what;
            if (mark.isBookmark)
                what << "bookmark";
            if (!mark.colour.empty())
                what << qt(mark.colour);
            rows.push_back({{module, node.id}, qt(node.name), what.join(", "), qt(mark.note)});
        }
    });
    if (rows == m_rows->rows())
        return;
    m_rows->setRows(std::move(rows));
    Q_EMIT countChanged(count());
}

NodeRef MarksPane::next(int by) const {
    const std::vector<MarkRow>& rows = m_rows->rows();
    if (rows.empty())
        return {};
    const NodeRef current = m_selection.current();
    const Graph& graph = m_document.model().graph(current.module);
    // How many of the rows stand before what is selected; it may be none of them.
    const auto isBefore = [&](const MarkRow& row) {
        return row.node.module == current.module && current.node &&
               graph.precedes(row.node.node, current.node);
    };
    const auto before = static_cast<size_t>(std::ranges::count_if(rows, isBefore));
    const bool isOne = before < rows.size() && rows[before].node == current;
    const size_t at = by > 0 ? before + (isOne ? 1 : 0) : before + rows.size() - 1;
    return rows[at % rows.size()].node;
}

} // namespace fx::ui
