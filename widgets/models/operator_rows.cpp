// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/operator_rows.h"

#include "widgets/support/qt_text.h"

namespace fx {

QVariant OperatorRows::cell(const OperatorEntry& row, int column, int role) const {
    const bool isNumber = column == Time || column == Bytes || column == Parameters;
    if (role == Qt::TextAlignmentRole && isNumber)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ForegroundRole && column == Fault && !row.error.empty())
        return m_fault;
    if (role == kSortRole && isNumber) // what is not known comes before all that is
        return column == Time    ? row.milliseconds.value_or(-1)
               : column == Bytes ? (row.bytes ? static_cast<double>(*row.bytes) : -1)
                                 : static_cast<double>(row.parameters);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != kSortRole)
        return {};
    QString out;
    switch (column) {
    case Name:
        out = qt(row.name);
        break;
    case Target:
        out = qt(row.target);
        break;
    case Time:
        out = row.milliseconds ? timeLabel(*row.milliseconds) : QString();
        break;
    case Bytes:
        out = row.bytes ? byteLabel(*row.bytes) : QString();
        break;
    case Parameters:
        out = row.parameters ? countLabel(row.parameters) : QString();
        break;
    case Shape:
        out = qt(row.shapes);
        break;
    case Dtype:
        out = qt(row.dtypes);
        break;
    case Fault:
        out = qt(row.error);
        break;
    default:
        out = qt(row.scope);
    }
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

bool ShownOperators::filterAcceptsRow(int row, const QModelIndex&) const {
    return m_filter.matches(m_rows.row(row));
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

} // namespace fx
