// SPDX-License-Identifier: GPL-3.0-or-later
// The whole picture in a corner, with a frame around what is seen; a click or drag there moves the canvas.
#pragma once

#include <QPixmap>
#include <QWidget>

namespace fx::ui {

class CanvasView;
class LayoutService;
class Matches;
class Theme;

class Minimap : public QWidget {
    Q_OBJECT

public:
    Minimap(CanvasView& canvas, const LayoutService& layout, const Matches& matches, const Theme& theme);
    QSize sizeHint() const override { return {92, 104}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    /// From the diagram's plane to this widget.
    QTransform map() const;
    void paintMatches(QPainter& painter) const;

    CanvasView& m_canvas;
    const Matches& m_matches;
    const Theme& m_theme;
    QPixmap m_boxes; ///< drawn once a picture; null: out of date
};

} // namespace fx::ui
