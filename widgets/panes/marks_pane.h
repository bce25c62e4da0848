// SPDX-License-Identifier: GPL-3.0-or-later
// The nodes that a user has marked: bookmarks, notes, colours (core/module/node_marks.h).
#pragma once

#include "core/interpret/debug_types.h"

#include <QTreeView>
#include <QWidget>

namespace fx::ui {

class GraphDocument;
class MarkRows;
class Selection;

class MarksPane : public QWidget {
    Q_OBJECT

public:
    MarksPane(const GraphDocument& document, Selection& selection);

    int count() const;
    /// The marked node that comes after what is selected, or with -1 the one before; behind the last comes
    /// the first. None where there is none.
    NodeRef next(int by) const;

Q_SIGNALS:
    void countChanged(int count);
    /// A row was chosen.
    void nodeWanted(fx::NodeRef node);

private:
    void refresh();

    const GraphDocument& m_document;
    Selection& m_selection;
    MarkRows* m_rows;
    QTreeView* m_view;
};

} // namespace fx::ui
