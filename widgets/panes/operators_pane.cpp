// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/operators_pane.h"

#include "core/base/error.h"
#include "widgets/document/graph_document.h"
#include "widgets/models/operator_rows.h"
#include "widgets/panes/list_view.h"
#include "widgets/session/debug_service.h"
#include "widgets/session/selection.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QSaveFile>
#include <QVBoxLayout>

namespace fx {

OperatorsPane::OperatorsPane(const GraphDocument& document, Selection& selection, DebugService& debug,
                             const Theme& theme)
    : m_document(document), m_selection(selection), m_debug(debug), m_rows(new OperatorRows(this)),
      m_shown(new ShownOperators(*m_rows, this)), m_filter(new QLineEdit), m_count(new QLabel),
      m_fault(new QLabel), m_save(new QToolButton),
      m_view(makeListView(*m_shown, "Operator table", "No node is like that.")) {
    m_filter->setObjectName("operatorFilter");
    m_filter->setAccessibleName("Filter of the operators");
    m_filter->setPlaceholderText("filter: conv  dtype:f32  time>0.5  bytes>=1e6  error:nan");
    m_filter->setToolTip("Words that must all be in a row. column:word looks into one column, and\n"
                         "time>0.5, bytes>=1e6, parameters=0 compare numbers (time in milliseconds)");
    m_filter->setClearButtonEnabled(true);
    m_count->setObjectName("dim");
    m_fault->setObjectName("fault");
    m_fault->setTextFormat(Qt::PlainText);
    m_fault->hide();
    m_save->setText("Export CSV…");
    m_save->setToolTip("Write the rows that are shown to a file");
    m_view->setSortingEnabled(true);
    m_view->header()->setSortIndicator(-1, Qt::DescendingOrder); // the order of the graph
    const int widths[] = {180, 200, 80, 80, 90, 170, 70, 110};
    for (int column = 0; column < 8; ++column)
        m_view->header()->resizeSection(column, widths[column]);
    auto* row = new QHBoxLayout;
    row->addWidget(m_filter, 1);
    row->addWidget(m_fault);
    row->addWidget(m_count);
    row->addWidget(m_save);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 4, 4);
    column->setSpacing(4);
    column->addLayout(row);
    column->addWidget(m_view, 1);
    setFocusProxy(m_view);
    connect(m_filter, &QLineEdit::textChanged, this, &OperatorsPane::takeFilter);
    connect(m_save, &QToolButton::clicked, this, &OperatorsPane::save);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& index) {
                if (m_isFollowing || !index.isValid())
                    return;
                m_isFollowing = true;
                const NodeRef node = m_shown->row(index.row()).node;
                m_selection.select(node);
                m_isFollowing = false;
            });
    connect(&selection, &Selection::changed, this, &OperatorsPane::follow);
    connect(&selection, &Selection::graphShown, this, &OperatorsPane::refresh);
    connect(&document, &GraphDocument::changed, this, &OperatorsPane::refresh);
    connect(&debug, &DebugService::stateChanged, this, &OperatorsPane::refresh);
    connect(&debug, &DebugService::recordsReplaced, this, &OperatorsPane::refresh);
    const auto dress = [this, &theme] { m_rows->setFaultColor(theme.tokens().fault); };
    connect(&theme, &Theme::changed, this, dress);
    dress();
}

void OperatorsPane::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_isOld)
        refresh();
}

void OperatorsPane::refresh() {
    if (m_debug.state() == DebugService::State::Running)
        return; // the whole table for each node that runs would take longer than the run
    m_isOld = !isVisible();
    if (m_isOld)
        return;
    m_isFollowing = true;
    std::vector<OperatorEntry> rows =
        operatorTable(m_document.model(), m_selection.graph(), [this](NodeRef node) {
            return m_debug.isAhead(node) || m_debug.isStale(node) ? nullptr : m_debug.record(node);
        });
    for (OperatorEntry& row : rows)
        if (m_debug.hasFailed() && row.node == m_debug.faultyNode())
            row.error = utf8(m_debug.faultOfNode());
    m_rows->setRows(std::move(rows));
    m_isFollowing = false;
    countRows();
    follow();
}

void OperatorsPane::takeFilter() {
    m_fault->hide();
    m_isFollowing = true;
    try {
        m_shown->setFilter(OperatorFilter(utf8(m_filter->text())));
    } catch (const Error& error) { // what is shown stays until the words mean something
        m_fault->setText(qt(error.message()));
        m_fault->show();
    }
    m_isFollowing = false;
    countRows();
    follow();
}

void OperatorsPane::countRows() {
    const int shown = m_shown->rowCount(), all = m_rows->rowCount();
    m_count->setText(shown == all ? QString("%1 nodes").arg(all)
                                  : QString("%1 of %2 nodes").arg(shown).arg(all));
    m_save->setEnabled(shown > 0);
}

void OperatorsPane::follow() {
    if (m_isFollowing || m_isOld)
        return;
    m_isFollowing = true;
    const int row = m_shown->indexOf(m_selection.current());
    m_view->setCurrentIndex(row < 0 ? QModelIndex() : m_shown->index(row, 0));
    m_isFollowing = false;
}

void OperatorsPane::save() {
    QString path = QFileDialog::getSaveFileName(this, "Export operators", "operators.csv", "CSV (*.csv)");
    if (path.isEmpty())
        return;
    if (!path.contains('.'))
        path += ".csv";
    QSaveFile file(path);
    const QByteArray text = QByteArray::fromStdString(operatorCsv(m_shown->rows()));
    if (!file.open(QFile::WriteOnly) || file.write(text) != text.size() || !file.commit()) {
        m_fault->setText(path + " cannot be written: " + file.errorString());
        m_fault->show();
    } else {
        m_fault->hide();
        m_count->setText("written: " + path);
    }
}

} // namespace fx
