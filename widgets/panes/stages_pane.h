// SPDX-License-Identifier: GPL-3.0-or-later
// The nodes of the graph that is shown beside what they are elsewhere: a column for each other stage of a
// compilation, or for the backward pass.
#pragma once

#include "core/interpret/debug_types.h"
#include "widgets/support/refresh_when_seen.h"

#include <QLabel>
#include <QTableWidget>
#include <QWidget>

namespace fx::ui {

class GraphDocument;
class Selection;
class Theme;

class StagesPane : public QWidget {
    Q_OBJECT

public:
    StagesPane(const GraphDocument& document, Selection& selection, const Theme& theme);

private:
    /// Tables of large graphs are made when they are seen.
    void refresh();
    void followSelection();
    void follow(int row, int column);

    const GraphDocument& m_document;
    Selection& m_selection;
    const Theme& m_theme;
    QTableWidget* m_table;
    QLabel* m_empty;
    RefreshWhenSeen m_sight{*this, [this] { refresh(); }};
};

} // namespace fx::ui
