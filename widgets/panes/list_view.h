// SPDX-License-Identifier: GPL-3.0-or-later
// A quiet list of rows, with one sentence where there are none.
#pragma once

#include <QHeaderView>
#include <QTreeView>

namespace fx::ui {

/// `emptyText`: what to say, and what to do, while there is no row.
QTreeView* makeListView(QAbstractItemModel& model, const QString& accessibleName, const QString& emptyText);

} // namespace fx::ui
