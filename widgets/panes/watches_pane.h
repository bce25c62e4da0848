// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions and what they give wherever a run stops. The last row is for one more.
#pragma once

#include "widgets/panes/completion.h"

#include <QTreeView>
#include <QWidget>

namespace fx::ui {

class Theme;
class WatchRows;
class Watches;

class WatchesPane : public QWidget {
    Q_OBJECT

public:
    WatchesPane(Watches& watches, const Theme& theme, HelpFor help);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void fitColumns();
    void remove();
    void openMenu(const QPoint& at);

    Watches& m_watches;
    const Theme& m_theme;
    WatchRows* m_rows;
    QTreeView* m_view;
};

} // namespace fx::ui
