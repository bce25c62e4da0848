// SPDX-License-Identifier: GPL-3.0-or-later
// Where the boxes and wires of a picture are, what is at a place, and how one picture passes into the next.
#pragma once

#include "widgets/canvas/spatial_index.h"
#include "widgets/session/layout_service.h"

#include <QPointF>
#include <QRectF>

#include <memory>
#include <vector>

namespace fx::ui {

class CanvasGeometry {
public:
    CanvasGeometry() = default;
    explicit CanvasGeometry(std::shared_ptr<const Picture> picture);

    const Picture* picture() const { return m_picture.get(); }
    bool isEmpty() const { return !m_picture || m_picture->diagram.boxes.empty(); }
    const DiagramBox& box(int index) const { return m_picture->diagram.boxes[static_cast<size_t>(index)]; }
    const DiagramEdge& edge(int index) const { return m_picture->diagram.edges[static_cast<size_t>(index)]; }
    QRectF bounds() const;
    /// Where a box is; on the way there while a transition lasts.
    QRectF rect(int box) const;
    /// The line at the top of an expanded scope, which stands for it.
    QRectF titleRect(int box) const;

    /// In the order in which they are painted.
    std::vector<int> boxesIn(const QRectF& area) const { return m_boxes.query(area); }
    std::vector<int> edgesIn(const QRectF& area) const { return m_edges.query(area); }
    /// The innermost box, or -1. An expanded scope is met at its title only.
    int boxAt(QPointF point) const;
    /// The wire nearest to the place within `reach`, or -1.
    int edgeAt(QPointF point, double reach) const;

    /// The box that shows the same thing in this picture as `box` of another one, or -1.
    int counterpart(const CanvasGeometry& other, int box) const;
    /// The box of a scope by path, collapsed or expanded, or -1.
    int scopeBox(const QString& path) const;

    /// Boxes that `old` had too start from there; `t` goes from 0 to 1, where the transition ends.
    void passFrom(const CanvasGeometry& old);
    void setTransition(double t) { m_transition = t; }
    double transition() const { return m_transition; }

private:
    std::shared_ptr<const Picture> m_picture;
    SpatialIndex m_boxes, m_edges;
    std::vector<QPointF> m_from; ///< by box; empty without a transition
    double m_transition = 1;
};

} // namespace fx::ui
