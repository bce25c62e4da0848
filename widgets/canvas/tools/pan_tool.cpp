// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/tools/pan_tool.h"

#include "widgets/canvas/canvas_view.h"

#include <QApplication>

namespace fx::ui {

bool PanTool::press(CanvasView&, const QMouseEvent& event) {
    if (event.button() != Qt::LeftButton && event.button() != Qt::MiddleButton)
        return false;
    m_start = m_last = event.position();
    m_isDrag = false;
    return true;
}

void PanTool::move(CanvasView& view, const QMouseEvent& event) {
    if (!m_isDrag && (event.position() - m_start).manhattanLength() < QApplication::startDragDistance())
        return;
    m_isDrag = true;
    view.setCursor(Qt::ClosedHandCursor);
    view.look().panBy(event.position() - m_last);
    m_last = event.position();
}

void PanTool::release(CanvasView& view, const QMouseEvent& event) {
    view.unsetCursor();
    if (!m_isDrag && event.button() == Qt::LeftButton)
        view.click(event.position(), event.modifiers());
}

} // namespace fx::ui
