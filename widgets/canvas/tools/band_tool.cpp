// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/tools/band_tool.h"

#include "widgets/canvas/canvas_view.h"
#include "widgets/session/selection.h"

namespace fx::ui {

bool BandTool::press(CanvasView& view, const QMouseEvent& event) {
    // Over a box, shift extends the selection.
    if (event.button() != Qt::LeftButton || !(event.modifiers() & Qt::ShiftModifier) ||
        view.geometry().boxAt(view.camera().toPlane(event.position())) >= 0)
        return false;
    m_start = event.position();
    m_band = {};
    return true;
}

void BandTool::move(CanvasView& view, const QMouseEvent& event) {
    m_band = QRectF(m_start, event.position()).normalized();
    view.update();
}

void BandTool::release(CanvasView& view, const QMouseEvent&) {
    const QRectF area = view.camera().toPlane(m_band);
    m_band = {};
    std::vector<NodeId> nodes;
    for (int box : view.geometry().boxesIn(area))
        if (view.geometry().box(box).kind == DiagramBox::Kind::Node &&
            area.intersects(view.geometry().rect(box)))
            nodes.push_back(view.geometry().box(box).node);
    view.pick([&](Selection& selection) { selection.selectNodes(nodes); });
    view.update();
}

void BandTool::cancel(CanvasView& view) {
    m_band = {};
    view.update();
}

void BandTool::paint(CanvasView& view, QPainter& painter) {
    QColor fill = view.tokens().selection;
    painter.setPen(QPen(fill, 1));
    fill.setAlpha(30);
    painter.setBrush(fill);
    painter.drawRect(m_band);
}

} // namespace fx::ui
