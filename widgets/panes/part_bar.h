// SPDX-License-Identifier: GPL-3.0-or-later
// A line at the upper edge of the canvas while a part of the graph alone is shown: which part, how far it
// reaches, and the way back.
#pragma once

#include <QFrame>
#include <QLabel>
#include <QToolButton>

namespace fx::ui {

class CanvasView;
class Selection;
class Theme;

class PartBar : public QFrame {
    Q_OBJECT

public:
    PartBar(CanvasView& over, Selection& selection, const Theme& theme);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void place();

    Selection& m_selection;
    QLabel* m_text;
    QToolButton *m_fewer, *m_more;
};

} // namespace fx::ui
