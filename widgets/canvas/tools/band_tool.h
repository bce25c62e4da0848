// SPDX-License-Identifier: GPL-3.0-or-later
// Shift and drag: selects the nodes inside a rectangle.
#pragma once

#include "widgets/canvas/tools/tool.h"

#include <QRectF>

namespace fx::ui {

class BandTool : public Tool {
public:
    bool press(CanvasView& view, const QMouseEvent& event) override;
    void move(CanvasView& view, const QMouseEvent& event) override;
    void release(CanvasView& view, const QMouseEvent& event) override;
    void cancel(CanvasView& view) override;
    void paint(CanvasView& view, QPainter& painter) override;

private:
    QPointF m_start;
    QRectF m_band;
};

} // namespace fx::ui
