// SPDX-License-Identifier: GPL-3.0-or-later
// The elements of a slice, for a table.
#pragma once

#include "core/torch/values/statistics.h"

#include <QAbstractTableModel>

namespace fx::ui {

class SampleRows : public QAbstractTableModel {
public:
    using QAbstractTableModel::QAbstractTableModel;
    void setSample(TensorSample sample);
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    TensorSample m_sample;
};

} // namespace fx::ui
