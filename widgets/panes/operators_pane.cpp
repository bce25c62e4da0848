// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/operators_pane.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/output_file.h"
#include "widgets/document/graph_document.h"
#include "widgets/models/operator_rows.h"
#include "widgets/panes/device_box.h"
#include "widgets/panes/list_view.h"
#include "widgets/session/cost_service.h"
#include "widgets/session/debug_service.h"
#include "widgets/session/run_text.h"
#include "widgets/session/selection.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QCheckBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace fx::ui {

OperatorsPane::OperatorsPane(const GraphDocument& document, Selection& selection, DebugService& debug,
                             CostService& costs, const Theme& theme)
    : m_document(document), m_selection(selection), m_debug(debug), m_costs(costs),
      m_rows(new OperatorRows(this)), m_shown(new ShownOperators(*m_rows, this)), m_filter(new QLineEdit),
      m_device(new DeviceBox("No device", true)), m_count(new QLabel), m_fault(new QLabel),
      m_save(new QToolButton), m_view(makeListView(*m_shown, "Operator table", "No node is like that.")) {
    m_filter->setObjectName("operatorFilter");
    m_filter->setAccessibleName("Filter of the operators");
    m_filter->setPlaceholderText("filter: conv  dtype:f32  time>0.5  flops>=1e6  bound:memory  error:nan");
    m_filter->setToolTip("Words that must all be in a row. column:word looks into one column, and\n"
                         "time>0.5, bytes>=1e6, parameters=0 compare numbers: time and predicted in\n"
                         "milliseconds, off in percent, flops, intensity, read, written, bytes, parameters");
    m_device->setAccessibleName("Device of the predictions");
    m_device->setToolTip("The device that times are predicted for");
    m_filter->setClearButtonEnabled(true);
    m_count->setObjectName("dim");
    m_fault->setObjectName("fault");
    m_fault->setTextFormat(Qt::PlainText);
    m_fault->hide();
    m_save->setText("Export table…");
    m_save->setToolTip("Write the rows that are shown to a CSV or JSON file");
    m_view->setSortingEnabled(true);
    m_view->sortByColumn(OperatorRows::timeColumn(), Qt::DescendingOrder); // before a run as in the graph
    for (int column = 0; column < m_rows->columnCount(); ++column)
        m_view->header()->resizeSection(column, OperatorRows::columnWidth(column));
    auto* all = new QCheckBox("Inputs and weights");
    all->setToolTip("List inputs, weights and the output, too");
    connect(all, &QCheckBox::toggled, this, [this](bool isOn) {
        m_isFollowing = true;
        m_shown->setShowsAll(isOn);
        m_isFollowing = false;
        countRows();
        follow();
    });
    auto* row = new QHBoxLayout;
    row->addWidget(m_filter, 1);
    row->addWidget(all);
    row->addWidget(m_device);
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
    connect(&costs, &CostService::changed, this, &OperatorsPane::refresh);
    connect(m_device, &DeviceBox::deviceChosen, &costs, &CostService::chooseDevice);
    connect(&costs, &CostService::deviceFailed, this, &OperatorsPane::tellFault);
    const auto dress = [this, &theme] { m_rows->setFaultColor(theme.tokens().fault); };
    connect(&theme, &Theme::changed, this, dress);
    dress();
}

void OperatorsPane::refresh() {
    if (m_debug.state() == DebugService::State::Running)
        return; // the whole table for each node that runs would take longer than the run
    if (!m_sight.isDue())
        return;
    m_costs.ask();
    m_device->setDevice(m_costs.deviceName());
    m_isFollowing = true;
    m_rows->show(rowsNow());
    m_isFollowing = false;
    countRows();
    follow();
}

std::vector<OperatorEntry> OperatorsPane::rowsNow() const {
    const auto recordOf = [this](NodeRef node) {
        return m_debug.run().isAhead(node) || m_debug.run().values().isStale(node)
                   ? nullptr
                   : m_debug.run().values().record(node);
    };
    const Model& model = m_document.model();
    const ModuleId graph = m_selection.graph();
    std::vector<OperatorEntry> rows =
        operatorTable(model, graph, recordOf, graph == model.root() ? m_costs.figures() : NodeFigures());
    for (OperatorEntry& row : rows)
        if (m_debug.run().state().failure() && row.node == m_debug.run().state().faultyNode())
            row.error = utf8(briefFailure(m_debug.run().state()));
    return rows;
}

void OperatorsPane::tellFault(const QString& fault) {
    m_fault->setText(fault);
    m_fault->show();
}

void OperatorsPane::takeFilter() {
    m_fault->hide();
    m_isFollowing = true;
    try {
        m_shown->setFilter(OperatorFilter(utf8(m_filter->text())));
    } catch (const Error& error) { // what is shown stays until the words mean something
        tellFault(faultText(error.message()));
    }
    m_isFollowing = false;
    countRows();
    follow();
}

void OperatorsPane::countRows() {
    const int shown = m_shown->rowCount(), all = m_rows->rowCount();
    m_count->setText(
        shown == all ? qt(plural(static_cast<uint64_t>(all), "node"))
                     : QString("%1 of %2").arg(shown).arg(qt(plural(static_cast<uint64_t>(all), "node"))));
    if (!m_costs.fault().isEmpty())
        m_count->setText(m_count->text() + ", costs not known");
    m_count->setToolTip(plainTip(m_costs.fault()));
    m_save->setEnabled(shown > 0);
}

void OperatorsPane::follow() {
    if (m_isFollowing || m_sight.isOld())
        return;
    m_isFollowing = true;
    const int row = m_shown->indexOf(m_selection.current());
    m_view->setCurrentIndex(row < 0 ? QModelIndex() : m_shown->index(row, 0));
    m_isFollowing = false;
}

void OperatorsPane::save() {
    QString path = QFileDialog::getSaveFileName(this, "Export operators", "operators.csv",
                                                "Tables (*.csv *.json);;All files (*)");
    if (path.isEmpty())
        return;
    if (!path.contains('.'))
        path += ".csv";
    const std::vector<OperatorEntry> rows = m_shown->rows();
    try {
        writeFile(utf8(path), path.endsWith(".json") ? operatorJson(rows) : operatorCsv(rows));
        m_fault->hide();
        m_count->setText("written: " + path);
    } catch (const Error& why) {
        tellFault(faultText(why.what()));
    }
}

} // namespace fx::ui
