// SPDX-License-Identifier: GPL-3.0-or-later
// The nodes of the graph that is shown as a table that can be sorted, filtered and written to a file.
#pragma once

#include "core/analyze/operator_table.h"
#include "widgets/support/refresh_when_seen.h"

#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QTreeView>
#include <QWidget>

namespace fx::ui {

class CostService;
class DebugService;
class DeviceBox;
class GraphDocument;
class OperatorRows;
class Selection;
class ShownOperators;
class Theme;

class OperatorsPane : public QWidget {
    Q_OBJECT

public:
    OperatorsPane(const GraphDocument& document, Selection& selection, DebugService& debug,
                  CostService& costs, const Theme& theme);
    /// The rows that are shown, as they are sorted.
    void save();

private:
    void refresh();
    void takeFilter();
    void follow();
    void countRows();
    std::vector<OperatorEntry> rowsNow() const;
    void tellFault(const QString& fault);

    const GraphDocument& m_document;
    Selection& m_selection;
    DebugService& m_debug;
    CostService& m_costs;
    OperatorRows* m_rows;
    ShownOperators* m_shown;
    QLineEdit* m_filter;
    DeviceBox* m_device;
    QLabel *m_count, *m_fault;
    QToolButton* m_save;
    QTreeView* m_view;
    bool m_isFollowing = false;
    RefreshWhenSeen m_sight{*this, [this] { refresh(); }};
};

} // namespace fx::ui
