// SPDX-License-Identifier: GPL-3.0-or-later
// Drag to move the picture; a press that does not move is a click on what is there.
#pragma once

#include "widgets/canvas/tools/tool.h"

namespace fx::ui {

class PanTool : public Tool {
public:
    bool press(CanvasView& view, const QMouseEvent& event) override;
    void move(CanvasView& view, const QMouseEvent& event) override;
    void release(CanvasView& view, const QMouseEvent& event) override;

private:
    QPointF m_start, m_last;
    bool m_isDrag = false;
};

} // namespace fx::ui
