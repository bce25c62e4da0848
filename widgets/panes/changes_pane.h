// SPDX-License-Identifier: GPL-3.0-or-later
// The history of the document, and what the steps that are chosen have changed (diff_view.h).
// A double click goes there by undo or redo.
#pragma once

#include "widgets/support/job.h"
#include "widgets/support/refresh_when_seen.h"

#include <QPushButton>
#include <QTreeView>
#include <QWidget>

namespace fx::ui {

class ChangeRows;
class DiffView;
class GraphDocument;
class Theme;

class ChangesPane : public QWidget {
    Q_OBJECT

public:
    ChangesPane(GraphDocument& document, const Theme& theme);

    /// The history, or what is known of its steps, is another one.
    void refresh();

Q_SIGNALS:
    /// Of steps that are done.
    void countChanged(int count);
    /// The state after `first` steps is to be shown beside the one after `second`.
    void compareWanted(int first, int second);
    /// Which of the steps after so many made the results differ.
    void bisectWanted(int steps);

private:
    /// The steps that are selected, from the first to the last; from 0. None: -1.
    std::pair<int, int> chosenSteps() const;
    void followChosen();
    void showSteps(int first, int last);

    GraphDocument& m_document;
    ChangeRows* m_rows;
    QTreeView* m_view;
    DiffView* m_diff;
    QPushButton *m_compare, *m_bisect;
    RefreshWhenSeen m_sight{*this, [this] { refresh(); }};
    JobRunner m_runner; ///< last: its thread uses what is above
};

} // namespace fx::ui
