// SPDX-License-Identifier: GPL-3.0-or-later
// A wire while it is being drawn, and what letting go of it would do.
#pragma once

#include <QPainter>
#include <QPointF>
#include <QString>

namespace fx::ui {

class CanvasView;

/// In screen coordinates.
struct DrawnWire {
    QPointF from, to; ///< a producer's end is above its reader's
    QPointF mouse;    ///< the end that is held
    int box = -1;     ///< under the mouse; -1: none
    QString text;     ///< what would be done, or why not
    bool isRefused = false;
};

void paintDrawnWire(CanvasView& view, QPainter& painter, const DrawnWire& wire);

} // namespace fx::ui
