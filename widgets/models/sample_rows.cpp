// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/sample_rows.h"

#include "widgets/support/qt_text.h"

namespace fx::ui {

void SampleRows::setSample(TensorSample sample) {
    beginResetModel();
    m_sample = std::move(sample);
    endResetModel();
}

int SampleRows::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_sample.rows.size());
}

int SampleRows::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || m_sample.rows.empty() ? 0 : static_cast<int>(m_sample.rows[0].size());
}

QVariant SampleRows::data(const QModelIndex& index, int role) const {
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole || !index.isValid())
        return {};
    const auto& row = m_sample.rows[static_cast<size_t>(index.row())];
    const auto column = static_cast<size_t>(index.column());
    return column < row.size() ? qt(row[column]) : QString();
}

QVariant SampleRows::headerData(int section, Qt::Orientation, int role) const {
    return role == Qt::DisplayRole ? QVariant(section) : QVariant();
}

} // namespace fx::ui
