// SPDX-License-Identifier: GPL-3.0-or-later
// Where a run stops: the list of breakpoints, to switch, to put a condition on, to remove and to add.
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QTreeWidget>
#include <QWidget>

namespace fx {

class DebugService;
class Error;
class Selection;
class Theme;

class BreakpointsPane : public QWidget {
    Q_OBJECT

public:
    BreakpointsPane(DebugService& debug, Selection& selection, const Theme& theme);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void take(QTreeWidgetItem* item, int column);
    void remove();
    void add();
    void tell(const Error& error);

    DebugService& m_debug;
    Selection& m_selection;
    const Theme& m_theme;
    QTreeWidget* m_list;
    QLineEdit* m_line;
    QLabel *m_fault, *m_hint;
    bool m_isFilling = false;
};

} // namespace fx
