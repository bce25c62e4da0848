// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a new wire from the handle at a node's lower edge to a node that is to read it. As which of its
// arguments, CanvasView::connectWanted() leaves to who hears it.
#pragma once

#include "core/base/ids.h"
#include "widgets/canvas/tools/tool.h"

#include <QPointF>
#include <QString>

#include <optional>

namespace fx::ui {

class ConnectTool : public Tool {
public:
    /// Where wires of the box are begun, on the screen; none: it gives nothing, or is too small to be hit.
    static std::optional<QPointF> handleOf(const CanvasView& view, int box);

    bool press(CanvasView& view, const QMouseEvent& event) override;
    void move(CanvasView& view, const QMouseEvent& event) override;
    void release(CanvasView& view, const QMouseEvent& event) override;
    void cancel(CanvasView& view) override;
    bool outlivesPicture() const override { return false; }
    void paint(CanvasView& view, QPainter& painter) override;

private:
    /// Finds out what letting go there would do.
    void look(CanvasView& view, QPointF at);

    NodeId m_producer, m_reader; ///< no reader: nothing would be done
    QPointF m_from, m_start, m_at;
    bool m_isDrag = false;
    int m_box = -1; ///< under the mouse
    QString m_text; ///< what would be done, or why it cannot be
    bool m_isRefused = false;
};

} // namespace fx::ui
