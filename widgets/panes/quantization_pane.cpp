// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/quantization_pane.h"

#include "core/passes/registry.h"
#include "widgets/document/graph_document.h"
#include "widgets/document/history.h"
#include "widgets/models/quantized_rows.h"
#include "widgets/panes/list_view.h"
#include "widgets/panes/trade_off_chart.h"
#include "widgets/session/pass_service.h"
#include "widgets/session/selection.h"
#include "widgets/support/qt_text.h"
#include "widgets/support/text_label.h"

#include <QHBoxLayout>
#include <QSplitter>
#include <QVBoxLayout>

#include <limits>

namespace fx::ui {

namespace {

constexpr const char* kPass = "quantize";

std::optional<double> numberIn(const PassTable& table, const std::vector<PassTable::Cell>& row,
                               const char* name) {
    for (size_t i = 0; i < table.columns.size(); ++i)
        if (table.columns[i] == name)
            if (const auto* number = std::get_if<double>(&row[i]))
                return *number;
    return std::nullopt;
}

QStringList leftOut(const PassTable& table, const std::vector<PassTable::Cell>& row) {
    for (size_t i = 0; i < table.columns.size(); ++i)
        if (table.columns[i] == "left_out")
            if (const auto* text = std::get_if<std::string>(&row[i]))
                return wholeQt(*text).split(", ", Qt::SkipEmptyParts);
    return {};
}

} // namespace

QuantizationPane::QuantizationPane(GraphDocument& document, Selection& selection, PassService& passes,
                                   const Theme& theme)
    : m_document(document), m_selection(selection), m_passes(passes), m_rows(new QuantizedRows(this)),
      m_view(
          makeListView(*m_rows, "Quantized calls",
                       "Nothing is quantized here. Passes > Quantize and lower > quantize puts integers in "
                       "the place of float32, and tells what each call loses.")),
      m_hint(textLabel("dim")), m_leaveOut(new QPushButton("Keep in float32, run again")),
      m_measure(new QPushButton("Measure the trade-off")), m_goTo(new QPushButton("Run again at this point")),
      m_over(new QComboBox), m_side(new QWidget), m_chart(new TradeOffChart(theme)) {
    setObjectName("panel");
    setAttribute(Qt::WA_StyledBackground);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_leaveOut->setAccessibleName("Keep the selected calls in float32");
    m_leaveOut->setToolTip(
        "Take the quantization back, and run it again without the calls that are selected");
    m_measure->setAccessibleName(m_measure->text());
    m_goTo->setAccessibleName(m_goTo->text());
    m_measure->setToolTip(
        "Run it again, and tell what the model loses, weighs and takes the more calls stay in "
        "float32");
    m_goTo->setToolTip(
        "Take the quantization back, and run it again as at the point that is marked (Return)");
    m_over->setAccessibleName("Against what");
    m_over->addItems({"against weights", "against time"});
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_leaveOut);
    buttons->addWidget(m_measure);
    buttons->addWidget(m_hint, 1);
    auto* list = new QWidget;
    auto* left = new QVBoxLayout(list);
    left->setContentsMargins(0, 0, 0, 0);
    left->setSpacing(4);
    left->addLayout(buttons);
    left->addWidget(m_view, 1);
    auto* over = new QHBoxLayout;
    over->addWidget(m_over);
    over->addStretch();
    over->addWidget(m_goTo);
    auto* right = new QVBoxLayout(m_side);
    right->setContentsMargins(0, 0, 0, 0);
    right->setSpacing(4);
    right->addLayout(over);
    right->addWidget(m_chart, 1);
    auto* splitter = new QSplitter;
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(list);
    splitter->addWidget(m_side);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 4, 4);
    column->addWidget(splitter);
    setFocusProxy(m_view);
    m_view->header()->resizeSection(0, 160);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        follow();
        refreshButtons();
    });
    connect(m_leaveOut, &QPushButton::clicked, this, &QuantizationPane::leaveOutSelected);
    connect(m_measure, &QPushButton::clicked, this, [this] {
        if (std::optional<RecipeStep> step = lastStep()) {
            step->options["sweep"] = "trade-off";
            runAgain(std::move(*step), {});
        }
    });
    connect(m_goTo, &QPushButton::clicked, this, [this] { goToPoint(m_chart->current()); });
    connect(m_over, &QComboBox::currentIndexChanged, m_chart,
            [this](int index) { m_chart->setOverTime(index == 1); });
    connect(m_chart, &TradeOffChart::chosen, this, &QuantizationPane::goToPoint);
    connect(m_chart, &TradeOffChart::currentChanged, this, &QuantizationPane::refreshButtons);
    connect(&passes, &PassService::finished, this, &QuantizationPane::take);
    connect(&passes, &PassService::started, this, &QuantizationPane::refreshButtons);
    connect(&passes, &PassService::ended, this, &QuantizationPane::refreshButtons);
    connect(&document, &GraphDocument::changed, this, &QuantizationPane::refresh);
    connect(&document.undoStack(), &QUndoStack::indexChanged, this, &QuantizationPane::refreshButtons);
    refresh();
}

void QuantizationPane::take(const RecipeStep& step, const std::vector<PassTable>& tables) {
    if (step.pass != kPass || tables.empty())
        return;
    const PassTable& table = tables.back();
    std::vector<TradeOffMark> marks;
    m_left.clear();
    for (const std::vector<PassTable::Cell>& row : table.rows) {
        const auto number = [&](const char* name) { return numberIn(table, row, name); };
        m_left.push_back(leftOut(table, row));
        marks.push_back({number("sqnr").value_or(std::numeric_limits<double>::infinity()),
                         number("bytes").value_or(0), number("seconds"),
                         QString("%1 quantized").arg(number("quantized").value_or(0)),
                         shown(m_left.back().join(", "))});
    }
    m_swept = step;
    m_chart->setMarks(std::move(marks));
    refreshButtons();
}

void QuantizationPane::refresh() {
    m_rows->setRows(quantizedRows(m_document.model().graph()));
    refreshButtons();
    Q_EMIT countChanged(m_rows->rowCount());
}

void QuantizationPane::refreshButtons() {
    const bool canRun = lastStep().has_value();
    m_leaveOut->setEnabled(canRun && m_view->selectionModel()->hasSelection());
    m_measure->setVisible(!m_swept);
    m_measure->setEnabled(canRun);
    m_goTo->setEnabled(canRun && m_chart->current() >= 0);
    m_side->setVisible(m_swept.has_value());
    m_hint->setText(m_passes.isWorking() ? QString("A pass is running") + QChar(0x2026)
                    : m_rows->rowCount() > 0 && !canRun
                        ? QString("Something was changed after quantize: undo that to run it again.")
                        : QString());
}

void QuantizationPane::follow() {
    std::vector<NodeId> nodes;
    for (const QModelIndex& index : m_view->selectionModel()->selectedRows())
        nodes.push_back(m_rows->row(index.row()).node);
    if (nodes.empty())
        return;
    m_selection.showGraph(m_document.model().root());
    m_selection.reveal(nodes.front());
    m_selection.selectNodes(nodes);
}

std::optional<RecipeStep> QuantizationPane::lastStep() const {
    const std::vector<HistoryStep> steps = stepsOf(m_document.undoStack());
    const bool is = !steps.empty() && steps.back().recipeStep && steps.back().recipeStep->pass == kPass;
    return is ? steps.back().recipeStep : std::nullopt;
}

void QuantizationPane::leaveOutSelected() {
    std::optional<RecipeStep> step = lastStep();
    QStringList calls;
    for (const QModelIndex& index : m_view->selectionModel()->selectedRows())
        calls << wholeQt(m_rows->row(index.row()).call);
    if (!step || calls.isEmpty())
        return;
    step->options.erase("sweep"); // it was measured
    runAgain(std::move(*step), calls);
}

void QuantizationPane::goToPoint(int mark) {
    if (mark < 0 || !lastStep() || !m_swept)
        return;
    RecipeStep step = *m_swept;
    step.options.erase("sweep");
    step.options.erase("budget"); // the point is what is wanted
    runAgain(std::move(step), m_left[static_cast<size_t>(mark)]);
}

void QuantizationPane::runAgain(RecipeStep step, const QStringList& calls) {
    for (const QString& call : calls) {
        std::string& skip = step.options["skip"];
        skip += (skip.empty() ? "" : ",") + utf8(call);
    }
    m_document.undoStack().undo();
    m_passes.run(findPass(step.pass), step.options, m_document.model().root());
}

} // namespace fx::ui
