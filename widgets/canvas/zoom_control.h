// SPDX-License-Identifier: GPL-3.0-or-later
// Smaller, the scale, larger, and the whole graph, with weights or without: a small panel in the corner of
// the canvas.
#pragma once

#include <QAction>
#include <QToolButton>
#include <QWidget>

namespace fx::ui {

class CanvasView;
class Theme;

class ZoomControl : public QWidget {
    Q_OBJECT

public:
    /// `weights` shows the nodes that fetch parameters, or hides them.
    ZoomControl(CanvasView& canvas, QAction& weights, const Theme& theme);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QToolButton* button(const QString& tip);

    const Theme& m_theme;
    QToolButton *m_out, *m_scale, *m_in, *m_fit;
};

} // namespace fx::ui
