// SPDX-License-Identifier: GPL-3.0-or-later
// The nodes that ran, in order, with their values.
#pragma once

#include <QTreeView>
#include <QWidget>

namespace fx {

class DebugService;
class GraphDocument;
class Selection;
class StepRows;
class Theme;

class StepsPane : public QWidget {
    Q_OBJECT

public:
    StepsPane(const GraphDocument& document, Selection& selection, DebugService& debug, const Theme& theme);

Q_SIGNALS:
    void countChanged(int count);

private:
    void refresh();
    void rebuild();

    const GraphDocument& m_document;
    Selection& m_selection;
    DebugService& m_debug;
    StepRows* m_rows;
    QTreeView* m_view;
    bool m_isFollowing = false;
};

} // namespace fx
