// SPDX-License-Identifier: GPL-3.0-or-later
// Smaller, the scale, larger, and the whole graph: a small panel in the corner of the canvas.
#pragma once

#include <QToolButton>
#include <QWidget>

namespace fx {

class CanvasView;
class Theme;

class ZoomControl : public QWidget {
    Q_OBJECT

public:
    ZoomControl(CanvasView& canvas, const Theme& theme);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QToolButton* button(const QString& tip);

    const Theme& m_theme;
    QToolButton *m_out, *m_scale, *m_in, *m_fit;
};

} // namespace fx
