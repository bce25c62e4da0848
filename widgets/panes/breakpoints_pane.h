// SPDX-License-Identifier: GPL-3.0-or-later
// Where a run stops: the list of breakpoints, to switch, to put a condition on, to remove and to add.
#pragma once

#include "widgets/panes/completion.h"

#include <QLabel>
#include <QLineEdit>
#include <QTreeWidget>
#include <QWidget>

namespace fx {

class Error;

} // namespace fx

namespace fx::ui {

class DebugService;
class Selection;
class Theme;

class BreakpointsPane : public QWidget {
    Q_OBJECT

public:
    /// `help`: with conditions.
    BreakpointsPane(DebugService& debug, Selection& selection, const Theme& theme, HelpFor help);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void take(QTreeWidgetItem* item, int column);
    void remove();
    void add();
    void tell(const Error& error);
    /// Where it is to stop, or behind a comma its condition.
    ExpressionHelp lineHelp(const QString& text) const;

    DebugService& m_debug;
    Selection& m_selection;
    const Theme& m_theme;
    const HelpFor m_help;
    QTreeWidget* m_list;
    QLineEdit* m_line;
    QLabel *m_fault, *m_hint;
    bool m_isFilling = false;
};

} // namespace fx::ui
