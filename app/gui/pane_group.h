// SPDX-License-Identifier: GPL-3.0-or-later
// Several panes in one dock, of which one is seen: their names stand in a column beside it.
#pragma once

#include <QPushButton>
#include <QStackedWidget>

namespace fx::ui {

class PaneGroup : public QWidget {
public:
    explicit PaneGroup(const QStringList& titles);

    /// One for each title, or none while there is no model. The owner of the panes deletes them.
    void setPanes(const QList<QWidget*>& panes);
    void setTitle(int pane, const QString& title);
    void show(int pane);
    QWidget* current() const { return m_stack->currentWidget(); }

private:
    QList<QPushButton*> m_names;
    QStackedWidget* m_stack;
    int m_shown = 0; ///< also while there are no panes
};

} // namespace fx::ui
