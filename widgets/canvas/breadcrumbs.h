// SPDX-License-Identifier: GPL-3.0-or-later
// Where one is: the graph that is shown, and the module scopes around the selected node. Each is a link.
// Before them, the ways back and forward to where one was.
#pragma once

#include <QAction>
#include <QLabel>
#include <QWidget>

namespace fx::ui {

class CanvasView;
class GraphDocument;
class Selection;
class Theme;

class Breadcrumbs : public QWidget {
    Q_OBJECT

public:
    Breadcrumbs(const GraphDocument& document, Selection& selection, CanvasView& canvas,
                const QList<QAction*>& history, const Theme& theme);

private:
    void refresh();
    void count();
    void follow(const QString& link);

    const GraphDocument& m_document;
    Selection& m_selection;
    CanvasView& m_canvas;
    const Theme& m_theme;
    QLabel *m_path, *m_count;
};

} // namespace fx::ui
