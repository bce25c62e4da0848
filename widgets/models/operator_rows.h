// SPDX-License-Identifier: GPL-3.0-or-later
// The nodes of a graph as a table that is sorted by its columns: numbers as numbers.
#pragma once

#include "core/analyze/operator_table.h"
#include "widgets/models/rows_model.h"

#include <QColor>
#include <QSortFilterProxyModel>

#include <vector>

namespace fx::ui {

class OperatorRows : public RowsModel<OperatorEntry> {
public:
    static constexpr int kSortRole = Qt::UserRole;

    explicit OperatorRows(QObject* parent = nullptr);
    /// In pixels, as they are at first.
    static int columnWidth(int column);
    static int timeColumn();
    void show(std::vector<OperatorEntry> rows);
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void setFaultColor(const QColor& color) { m_fault = color; }

protected:
    QVariant cell(const OperatorEntry& row, int column, int role) const override;

private:
    bool isEmpty(int column) const {
        return m_isEmpty.size() > static_cast<size_t>(column) && m_isEmpty[static_cast<size_t>(column)];
    }

    QColor m_fault;
    std::vector<bool> m_isEmpty; ///< of each column: no row has anything there
};

/// Those rows that a filter lets through, sorted.
class ShownOperators : public QSortFilterProxyModel {
public:
    explicit ShownOperators(OperatorRows& rows, QObject* parent = nullptr);
    void setFilter(OperatorFilter filter);
    /// Inputs, weights and the output, too; at first calls alone.
    void setShowsAll(bool showsAll);
    const OperatorEntry& row(int index) const;
    /// In the order that is shown.
    std::vector<OperatorEntry> rows() const;
    /// -1: it is not shown.
    int indexOf(NodeRef node) const;

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    const OperatorRows& m_rows;
    OperatorFilter m_filter;
    bool m_showsAll = false;
};

} // namespace fx::ui
