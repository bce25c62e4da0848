// SPDX-License-Identifier: GPL-3.0-or-later
// Drags a wire away from the node that feeds it and onto another one, which feeds its reader from then on.
#pragma once

#include "core/base/ids.h"
#include "widgets/canvas/tools/tool.h"

#include <QPointF>
#include <QString>

namespace fx::ui {

class WireTool : public Tool {
public:
    bool press(CanvasView& view, const QMouseEvent& event) override;
    void move(CanvasView& view, const QMouseEvent& event) override;
    void release(CanvasView& view, const QMouseEvent& event) override;
    void cancel(CanvasView& view) override;
    bool outlivesPicture() const override { return false; }
    void paint(CanvasView& view, QPainter& painter) override;

private:
    /// The node under the mouse that would feed the reader; why it cannot is left in m_reason.
    NodeId candidate(CanvasView& view, QPointF at);

    NodeId m_reader, m_value;
    QPointF m_start, m_at, m_readerEnd;
    bool m_isDrag = false;
    int m_box = -1; ///< under the mouse
    QString m_reason;
};

} // namespace fx::ui
