// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/stages_pane.h"

#include "core/module/counterparts.h"
#include "widgets/document/graph_document.h"
#include "widgets/session/selection.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>

namespace fx::ui {

namespace {

constexpr int kCellNode = Qt::UserRole, kCellModule = Qt::UserRole + 1;
constexpr int kWidest = 260;

/// "aot_joint_graph" of "frame_0_0.aot_joint_graph".
QString columnTitle(const std::string& title) {
    return qt(title.substr(title.rfind('.') + 1));
}

} // namespace

StagesPane::StagesPane(const GraphDocument& document, Selection& selection, const Theme& theme)
    : m_document(document), m_selection(selection), m_theme(theme), m_table(new QTableWidget),
      m_empty(new QLabel("The nodes of this graph have no counterparts elsewhere. The stages of a log of "
                         "torch.compile have, and graphs that were captured with their gradients.")) {
    setObjectName("panel");
    setAttribute(Qt::WA_StyledBackground);
    m_table->setObjectName("stages");
    m_table->setAccessibleName("Nodes beside their counterparts at other stages");
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false); // Tab walks on, as everywhere in the window
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_empty->setObjectName("dim");
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_empty->setContentsMargins(6, 4, 6, 4);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 4, 4);
    column->addWidget(m_table, 1);
    column->addWidget(m_empty, 1);
    connect(m_table, &QTableWidget::cellClicked, this, &StagesPane::follow);
    connect(m_table, &QTableWidget::cellActivated, this, &StagesPane::follow);
    connect(&document, &GraphDocument::changed, this, &StagesPane::refresh);
    connect(&theme, &Theme::changed, this, &StagesPane::refresh);
    connect(&selection, &Selection::graphShown, this, &StagesPane::refresh);
    connect(&selection, &Selection::changed, this, &StagesPane::followSelection);
    refresh();
}

void StagesPane::refresh() {
    if (!m_sight.isDue())
        return;
    const Graph& graph = m_document.model().graph(m_selection.graph());
    const CounterpartFinder finder(m_document.model(), m_selection.graph());
    struct Row {
        NodeId node;
        std::vector<Counterparts> others;
    };
    std::vector<Row> rows;
    std::vector<std::pair<ModuleId, std::string>> columns;
    for (const Node& node : graph) {
        if (node.opcode == Opcode::Output)
            continue;
        Row row{node.id, finder.of(node.id)};
        for (const Counterparts& others : row.others)
            if (const std::pair key(others.module, others.title);
                std::find(columns.begin(), columns.end(), key) == columns.end())
                columns.push_back(key);
        rows.push_back(std::move(row));
    }
    std::sort(columns.begin(), columns.end()); // modules are made stage by stage
    m_table->setVisible(!columns.empty());
    m_empty->setVisible(columns.empty());
    m_table->clear();
    m_table->setRowCount(columns.empty() ? 0 : static_cast<int>(rows.size()));
    m_table->setColumnCount(static_cast<int>(columns.size()) + 1);
    QStringList titles = {"This graph"};
    for (const auto& [module, title] : columns)
        titles << columnTitle(title);
    m_table->setHorizontalHeaderLabels(titles);
    const auto put = [&](int row, int column, ModuleId module, const std::vector<NodeId>& nodes) {
        QStringList names;
        for (const NodeId node : nodes)
            names << qt(m_document.model().graph(module).node(node).name);
        auto* item = new QTableWidgetItem(shown(names.join(", ")));
        item->setData(kCellModule, module.value);
        item->setData(kCellNode, nodes.front().value);
        item->setFont(m_theme.fixedFont());
        item->setToolTip(plainTip("Go to " + names.front()));
        item->setForeground(column == 0 ? m_theme.tokens().text : m_theme.tokens().selection);
        m_table->setItem(row, column, item);
    };
    for (size_t i = 0; i < rows.size() && !columns.empty(); ++i) {
        put(static_cast<int>(i), 0, m_selection.graph(), {rows[i].node});
        for (const Counterparts& others : rows[i].others) {
            const auto at = std::find(columns.begin(), columns.end(), std::pair(others.module, others.title));
            put(static_cast<int>(i), static_cast<int>(at - columns.begin()) + 1, others.module, others.nodes);
        }
    }
    m_table->resizeColumnsToContents();
    for (int column = 0; column < m_table->columnCount(); ++column)
        m_table->setColumnWidth(column, std::min(m_table->columnWidth(column) + 16, kWidest));
    followSelection();
}

void StagesPane::followSelection() {
    if (m_sight.isOld())
        return;
    const int current = m_selection.currentNode().value;
    for (int row = 0; row < m_table->rowCount(); ++row)
        if (m_table->item(row, 0)->data(kCellNode).toInt() == current) {
            m_table->setCurrentCell(row, 0);
            m_table->scrollToItem(m_table->item(row, 0));
            return;
        }
    m_table->clearSelection();
}

void StagesPane::follow(int row, int column) {
    const QTableWidgetItem* item = m_table->item(row, column);
    if (!item)
        return;
    // The table is another one once another graph is shown.
    const NodeRef to{ModuleId{item->data(kCellModule).toInt()}, NodeId{item->data(kCellNode).toInt()}};
    QMetaObject::invokeMethod(
        this, [this, to] { m_selection.select(to); }, Qt::QueuedConnection);
}

} // namespace fx::ui
