// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/list_rows.h"

#include "widgets/support/qt_text.h"

namespace fx::ui {

QVariant StepRows::cell(const StepRow& row, int column, int role) const {
    if (role == Qt::ForegroundRole && column == 4 && !row.isFinite)
        return m_fault;
    if (role == Qt::TextAlignmentRole && (column == 0 || column == 3))
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case 0:
        return static_cast<int>(&row - rows().data()) + 1;
    case 1:
        return row.name;
    case 2:
        return row.value;
    case 3:
        return row.time;
    default:
        return row.health;
    }
}

QVariant ProblemRows::cell(const ProblemRow& row, int column, int role) const {
    if (role == Qt::DecorationRole && column == 0)
        return row.kind == ProblemRow::Kind::Fault ? m_fault : m_note;
    if (role == Qt::ToolTipRole)
        return plainTip(row.message);
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case 1:
        return row.place;
    case 2:
        return row.message;
    default:
        return {};
    }
}

QVariant ChangeRows::cell(const ChangeRow& row, int column, int role) const {
    if (role == Qt::ToolTipRole)
        return plainTip(column == 2 ? row.verdict : row.isDone ? row.title : row.title + " (undone)");
    if (role != Qt::DisplayRole)
        return {};
    if (column == 0)
        return row.number;
    if (column == 2)
        return row.verdict;
    return row.isDone ? row.title : row.title + " (undone)";
}

QVariant WeightRows::cell(const WeightRow& row, int column, int role) const {
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const QString* const texts[] = {&row.path, &row.before, &row.after, &row.difference};
    return role == Qt::ToolTipRole ? plainTip(*texts[column]) : *texts[column];
}

QVariant AliveRows::cell(const AliveRow& row, int column, int role) const {
    if (role == Qt::TextAlignmentRole && column == 1)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return plainTip(row.name);
    return role == Qt::DisplayRole ? QVariant(column == 0 ? row.name : row.bytes) : QVariant();
}

QVariant MarkRows::cell(const MarkRow& row, int column, int role) const {
    if (role == Qt::ToolTipRole)
        return plainTip(row.note.isEmpty() ? row.name : row.note);
    if (role != Qt::DisplayRole)
        return {};
    return column == 0 ? row.name : column == 1 ? row.what : row.note.section('\n', 0, 0);
}

QVariant VerifyRows::cell(const VerifyRow& row, int column, int role) const {
    if (role == Qt::DecorationRole && column == 0)
        return row.isBeyond ? m_bad : m_good;
    if (role == Qt::ToolTipRole)
        return plainTip(qt(row.name + ": " + row.figures));
    if (role != Qt::DisplayRole || column == 0)
        return {};
    return qt(column == 1 ? row.name : row.figures);
}

QVariant CompareRows::cell(const CompareRow& row, int column, int role) const {
    using enum CompareRow::State;
    if (role == Qt::DecorationRole && column == 0)
        return row.state == Equal || row.state == Within ? QVariant(m_good)
               : row.state == Beyond                     ? QVariant(m_bad)
                                                         : QVariant();
    if (role == Qt::ToolTipRole)
        return plainTip(qt(row.name + ": " + row.figures));
    if (role != Qt::DisplayRole || column == 0)
        return {};
    constexpr int kFurther = 3, kMatched = 7;
    if (column < kFurther || column == kMatched)
        return qt(column == 1 ? row.name : column == 2 ? row.figures : row.match);
    const auto at = static_cast<size_t>(column - kFurther);
    return at < row.further.size() ? qt(row.further[at]) : QString();
}

} // namespace fx::ui
