// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/tools/drawn_wire.h"

#include "widgets/canvas/canvas_view.h"

#include <QPainterPath>

namespace fx::ui {

void paintDrawnWire(CanvasView& view, QPainter& painter, const DrawnWire& wire) {
    const QColor color = wire.isRefused ? view.tokens().fault : view.tokens().selection;
    painter.setBrush(Qt::NoBrush);
    if (wire.box >= 0) {
        painter.setPen(QPen(color, 2.5));
        painter.drawRoundedRect(view.camera().toScreen(view.geometry().rect(wire.box)).adjusted(-3, -3, 3, 3),
                                9, 9);
    }
    const double bend = std::max(20.0, std::abs(wire.to.y() - wire.from.y()) / 2);
    QPainterPath path(wire.from);
    path.cubicTo(wire.from + QPointF(0, bend), wire.to - QPointF(0, bend), wire.to);
    painter.setPen(QPen(color, 2, Qt::DashLine));
    painter.drawPath(path);
    painter.setBrush(view.tokens().panel);
    painter.setPen(QPen(color, 2));
    painter.drawEllipse(wire.mouse, 5, 5);
    view.paintNote(painter, wire.mouse + QPointF(14, 18), wire.text, wire.isRefused);
}

} // namespace fx::ui
