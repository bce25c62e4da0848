// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/operator_rows.h"

#include "widgets/support/qt_text.h"

#include <algorithm>

namespace fx::ui {

namespace {

using Row = const OperatorEntry&;

/// A number is what a filter calls so; a text has none.
struct OperatorColumn {
    const char *title, *number;
    int width;
    QString (*text)(Row row, double number); ///< `number`: of the column
    const char* tip = "";                    ///< of the header
    const char* whyEmpty = "";               ///< where no row has anything there
};
constexpr char kRunFirst[] = "Not known yet: run the model",
               kChooseDevice[] =
                   "Not known: choose a device above, and run the model once so that its shapes are recorded",
               kShapesFirst[] = "Not known: shapes are recorded by a run, or by the pass Record shapes";

QString predictedLabel(Row, double milliseconds) {
    return milliseconds > 0 ? qt(secondsText(milliseconds / 1000)) : QString(); // often microseconds
}

QString percentLabel(Row, double percent) {
    return QString::asprintf("%+.0f %%", percent);
}

QString countOf(Row, double count) {
    return count > 0 ? countLabel(static_cast<quint64>(count)) : QString();
}

QString bytesOf(Row, double bytes) {
    return byteLabel(static_cast<quint64>(bytes));
}

QString trafficOf(Row, double bytes) {
    return bytes > 0 ? byteLabel(static_cast<quint64>(bytes)) : QString();
}

QString boundOf(Row row, double) {
    return row.cost && row.cost->prediction ? qt(boundName(row.cost->prediction->bound())) : QString();
}

const OperatorColumn kColumns[] = {
    {"Node", nullptr, 180, [](Row row, double) { return qt(row.name); }},
    {"Target", nullptr, 200, [](Row row, double) { return qt(row.target); }},
    {"Time", "time", 80, [](Row, double time) { return timeLabel(time); }, "Of the run", kRunFirst},
    {"Predicted", "predicted", 80, predictedLabel,
     "Time on the device that is chosen above, from shapes alone", kChooseDevice},
    {"Off", "off", 60, percentLabel, "How far the prediction is from the run's time",
     "Not known: choose a device above, and run the model"},
    {"Bound", nullptr, 80, boundOf, "What the device waits for most: compute, memory or overhead",
     kChooseDevice},
    {"FLOPs", "flops", 80, countOf, "As PyTorch's counter has them", kShapesFirst},
    {"FLOPs/B", "intensity", 70, [](Row, double value) { return QString::number(value, 'g', 3); },
     "FLOPs for each byte: where it is under the roof of the device", kShapesFirst},
    {"Read", "read", 80, trafficOf, "Bytes that it reads", kShapesFirst},
    {"Written", "written", 80, trafficOf, "Bytes that it writes", kShapesFirst},
    {"Bytes", "bytes", 80, bytesOf, "Of the tensors that it gives", kShapesFirst},
    {"Parameters", "parameters", 90, countOf},
    {"Shape", nullptr, 170, [](Row row, double) { return qt(row.shapes); }},
    {"Dtype", nullptr, 70, [](Row row, double) { return qt(row.dtypes); }},
    {"Error", nullptr, 110, [](Row row, double) { return qt(row.error); }},
    {"Module", nullptr, 120, [](Row row, double) { return qt(row.scope); }},
};

constexpr double kUnknown = -1e300; // before all that is known

QStringList titles() {
    QStringList out;
    for (const OperatorColumn& column : kColumns)
        out << column.title;
    return out;
}

} // namespace

OperatorRows::OperatorRows(QObject* parent) : RowsModel(titles(), parent) {}

int OperatorRows::columnWidth(int column) {
    return kColumns[column].width;
}

int OperatorRows::timeColumn() {
    const auto found = std::ranges::find(kColumns, std::string_view("Time"), &OperatorColumn::title);
    return static_cast<int>(found - std::begin(kColumns));
}

void OperatorRows::show(std::vector<OperatorEntry> rows) {
    m_isEmpty.assign(std::size(kColumns), true);
    for (size_t column = 0; column < std::size(kColumns); ++column)
        m_isEmpty[column] = *kColumns[column].whyEmpty && std::ranges::none_of(rows, [&](Row row) {
            const OperatorColumn& of = kColumns[column];
            const std::optional<double> number = of.number ? operatorNumber(row, of.number) : std::nullopt;
            return of.number ? number.has_value() : !of.text(row, 0).isEmpty();
        });
    setRows(std::move(rows));
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

QVariant OperatorRows::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role == Qt::ToolTipRole && orientation == Qt::Horizontal && *kColumns[section].tip)
        return QString(kColumns[section].tip) +
               (isEmpty(section) ? QString('\n') + kColumns[section].whyEmpty : QString());
    return RowsModel::headerData(section, orientation, role);
}

QVariant OperatorRows::cell(const OperatorEntry& row, int column, int role) const {
    const OperatorColumn& of = kColumns[column];
    if (role == Qt::TextAlignmentRole && of.number)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ForegroundRole && !row.error.empty() && of.title == std::string_view("Error"))
        return m_fault;
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != kSortRole)
        return {};
    const std::optional<double> number = of.number ? operatorNumber(row, of.number) : std::nullopt;
    if (role == kSortRole && of.number)
        return number.value_or(kUnknown);
    if (isEmpty(column))
        return role == Qt::ToolTipRole ? QString(of.whyEmpty) : QString(QChar(0x2013));
    const QString out = of.number && !number ? QString() : of.text(row, number.value_or(0));
    return role == Qt::ToolTipRole ? plainTip(out) : out;
}

ShownOperators::ShownOperators(OperatorRows& rows, QObject* parent)
    : QSortFilterProxyModel(parent), m_rows(rows) {
    setSourceModel(&rows);
    setSortRole(OperatorRows::kSortRole);
}

void ShownOperators::setFilter(OperatorFilter filter) {
    m_filter = std::move(filter);
    invalidateFilter();
}

void ShownOperators::setShowsAll(bool showsAll) {
    m_showsAll = showsAll;
    invalidateFilter();
}

bool ShownOperators::filterAcceptsRow(int row, const QModelIndex&) const {
    return (m_showsAll || m_rows.row(row).isCall) && m_filter.matches(m_rows.row(row));
}

const OperatorEntry& ShownOperators::row(int index) const {
    return m_rows.row(mapToSource(this->index(index, 0)).row());
}

std::vector<OperatorEntry> ShownOperators::rows() const {
    std::vector<OperatorEntry> out;
    for (int i = 0; i < rowCount(); ++i)
        out.push_back(row(i));
    return out;
}

int ShownOperators::indexOf(NodeRef node) const {
    for (int i = 0; i < rowCount(); ++i)
        if (row(i).node == node)
            return i;
    return -1;
}

} // namespace fx::ui
