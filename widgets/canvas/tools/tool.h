// SPDX-License-Identifier: GPL-3.0-or-later
// A gesture of the mouse on the canvas, from press to release. The first tool that takes a press has it.
// A new gesture is a new file beside this one and a line in canvas_view.cpp.
#pragma once

#include <QMouseEvent>
#include <QPainter>

namespace fx::ui {

class CanvasView;

class Tool {
public:
    virtual ~Tool() = default;
    /// Whether the gesture begins with this press.
    virtual bool press(CanvasView& view, const QMouseEvent& event) = 0;
    virtual void move(CanvasView& view, const QMouseEvent& event) = 0;
    virtual void release(CanvasView& view, const QMouseEvent& event) = 0;
    /// Escape: as if it had never begun.
    virtual void cancel(CanvasView&) {}
    /// Whether it goes on when there is another picture, in which boxes have other numbers.
    virtual bool outlivesPicture() const { return true; }
    /// Over everything, in screen coordinates, while the gesture lasts.
    virtual void paint(CanvasView&, QPainter&) {}
};

} // namespace fx::ui
