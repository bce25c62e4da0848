// SPDX-License-Identifier: GPL-3.0-or-later
// The boring half of a table model, once: a model says what is in a cell and in a header.
#pragma once

#include <QAbstractTableModel>

#include <vector>

namespace fx::ui {

template <class Row>
class RowsModel : public QAbstractTableModel {
public:
    explicit RowsModel(QStringList headers, QObject* parent = nullptr)
        : QAbstractTableModel(parent), m_headers(std::move(headers)) {}

    const Row& row(int index) const { return m_rows[static_cast<size_t>(index)]; }
    const std::vector<Row>& rows() const { return m_rows; }
    void setRows(std::vector<Row> rows) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
    }
    void append(std::vector<Row> rows) {
        if (rows.empty())
            return;
        const int first = static_cast<int>(m_rows.size());
        beginInsertRows({}, first, first + static_cast<int>(rows.size()) - 1);
        m_rows.insert(m_rows.end(), std::make_move_iterator(rows.begin()),
                      std::make_move_iterator(rows.end()));
        endInsertRows();
    }

    void setRow(int index, Row row) {
        m_rows[static_cast<size_t>(index)] = std::move(row);
        Q_EMIT dataChanged(this->index(index, 0), this->index(index, columnCount() - 1));
    }

    /// As many rows with other content; the caller tells which cells have changed.
    void replace(std::vector<Row> rows) { m_rows = std::move(rows); }

    int rowCount(const QModelIndex& parent = {}) const final {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }
    int columnCount(const QModelIndex& parent = {}) const final {
        return parent.isValid() ? 0 : static_cast<int>(m_headers.size());
    }
    QVariant data(const QModelIndex& index, int role) const final {
        return index.isValid() ? cell(row(index.row()), index.column(), role) : QVariant();
    }
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
        return orientation == Qt::Horizontal && role == Qt::DisplayRole ? m_headers.value(section)
                                                                        : QVariant();
    }

protected:
    virtual QVariant cell(const Row& row, int column, int role) const = 0;

private:
    QStringList m_headers;
    std::vector<Row> m_rows;
};

} // namespace fx::ui
