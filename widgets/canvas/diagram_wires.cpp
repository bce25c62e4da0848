// SPDX-License-Identifier: GPL-3.0-or-later
// Wires and the shapes that are written beside them.
#include "widgets/canvas/diagram_painter.h"
#include "widgets/session/layout_service.h"

#include <QFontMetricsF>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace fx::ui {

using Kind = DiagramBox::Kind;

namespace {

constexpr double kLabelGap = 5;

} // namespace

bool DiagramPainter::isLit(const DiagramEdge& edge) const {
    return state(edge.from).isSelected || state(edge.to).isSelected;
}

void DiagramPainter::paintEdges(const std::vector<int>& edges) {
    QPainterPath quiet, quietHeads;
    std::vector<QLineF> lines;
    std::vector<int> lit;
    const auto at = [&](const Point& p) { return m_camera.toScreen(QPointF(p.x, p.y)); };
    const auto add = [&](int index, QPainterPath& wires, QPainterPath& heads) {
        const std::vector<Point>& path = m_geometry.edge(index).path;
        if (path.empty())
            return;
        wires.moveTo(at(path[0]));
        for (size_t i = 1; i + 2 < path.size(); i += 3)
            wires.cubicTo(at(path[i]), at(path[i + 1]), at(path[i + 2]));
        if (m_detail == Detail::Blocks)
            return;
        const QPointF tip = at(path.back());
        QPointF along = tip - at(path[path.size() - 2]);
        const double length = std::hypot(along.x(), along.y());
        along = length > 0.01 ? along / length : QPointF(0, 1);
        const QPointF across(-along.y(), along.x());
        const double size = 6 * m_scale;
        heads.addPolygon(QPolygonF({tip, tip - along * size * 1.25 + across * size * 0.6,
                                    tip - along * size * 1.25 - across * size * 0.6, tip}));
    };
    // Wires pass with the boxes: faint while these are on their way.
    m_painter->setOpacity(m_geometry.transition());
    for (int index : edges) {
        const DiagramEdge& edge = m_geometry.edge(index);
        if (isLit(edge) || index == m_hover.edge) {
            lit.push_back(index);
        } else if (m_detail == Detail::Blocks) {
            const std::vector<Point>& path = edge.path;
            for (size_t i = 0; i + 3 < path.size(); i += 3)
                lines.emplace_back(at(path[i]), at(path[i + 3]));
        } else {
            add(index, quiet, quietHeads);
        }
    }
    if (!lines.empty()) {
        m_painter->setPen(QPen(blended(m_tokens.wire, m_tokens.canvas, 0.35), 1));
        m_painter->drawLines(lines.data(), static_cast<int>(lines.size()));
    }
    m_painter->setBrush(Qt::NoBrush);
    m_painter->setPen(pen(m_tokens.wire, 1.4));
    m_painter->drawPath(quiet);
    m_painter->setPen(Qt::NoPen);
    m_painter->setBrush(m_tokens.wire);
    m_painter->drawPath(quietHeads);
    QPainterPath litWires, litHeads;
    for (int index : lit)
        add(index, litWires, litHeads);
    m_painter->setBrush(Qt::NoBrush);
    m_painter->setPen(pen(m_tokens.wireSelected, 2));
    m_painter->drawPath(litWires);
    m_painter->setPen(Qt::NoPen);
    m_painter->setBrush(m_tokens.wireSelected);
    m_painter->drawPath(litHeads);
    m_painter->setOpacity(1);
}

std::vector<QRectF> DiagramPainter::writtenPlaces(const std::vector<int>& boxes) const {
    std::vector<QRectF> out;
    for (int box : boxes) {
        const bool isField = m_geometry.box(box).kind == Kind::ExpandedScope;
        out.push_back(m_camera.toScreen(isField ? m_geometry.titleRect(box) : m_geometry.rect(box)));
        if (!isField)
            continue;
        // Its border, too.
        const QRectF rect = m_camera.toScreen(m_geometry.rect(box));
        out.emplace_back(rect.left() - 1, rect.top(), 2, rect.height());
        out.emplace_back(rect.right() - 1, rect.top(), 2, rect.height());
        out.emplace_back(rect.left(), rect.bottom() - 1, rect.width(), 2);
    }
    return out;
}

QRectF DiagramPainter::labelPlace(const std::vector<Point>& path, QSizeF size,
                                  const std::vector<QRectF>& taken) const {
    const size_t pieces = (path.size() - 1) / 3, middle = (pieces - 1) / 2;
    // The middle first, then ever farther from it.
    for (size_t step = 0; step < 2 * pieces; ++step) {
        const size_t piece = step % 2 ? middle + (step + 1) / 2 : middle - step / 2;
        if (piece >= pieces)
            continue;
        for (const double t : {0.5, 0.3, 0.7}) {
            const Point* p = &path[piece * 3];
            const double u = 1 - t, weights[] = {u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t};
            QPointF at;
            for (int i = 0; i < 4; ++i)
                at += QPointF(p[i].x, p[i].y) * weights[i];
            at = m_camera.toScreen(at);
            // Beside the wire, not on it.
            for (const double left : {at.x() + kLabelGap, at.x() - kLabelGap - size.width()}) {
                const QRectF place(left, at.y() - size.height() / 2, size.width(), size.height());
                const auto isHit = [&](const QRectF& other) { return other.intersects(place); };
                if (std::none_of(taken.begin(), taken.end(), isHit))
                    return place;
            }
        }
    }
    return {};
}

void DiagramPainter::paintEdgeLabels(const std::vector<int>& edges, const std::vector<int>& boxes) {
    const QFontMetricsF metrics(m_small);
    std::vector<QRectF> taken = writtenPlaces(boxes);
    for (int index : edges) {
        const DiagramEdge& edge = m_geometry.edge(index);
        const QString& label = m_states.wireLabel(*m_geometry.picture(), index);
        if (label.isEmpty() || edge.path.size() < 4 || m_geometry.box(edge.from).kind == Kind::Stub)
            continue;
        const QRectF where =
            labelPlace(edge.path, {metrics.horizontalAdvance(label) + 6, metrics.height()}, taken);
        // Its boxes say the shape too; where there is no room, a label would only hide them.
        if (where.isEmpty())
            continue;
        taken.push_back(where);
        m_painter->setPen(Qt::NoPen);
        m_painter->setBrush(m_tokens.canvas);
        m_painter->drawRoundedRect(where, 3, 3);
        const bool isStrong = isLit(edge) || index == m_hover.edge;
        const bool isWrong = !m_states.wireFault(*m_geometry.picture(), index).isEmpty();
        write(where, Qt::AlignCenter, label, m_small,
              isWrong    ? m_tokens.fault
              : isStrong ? m_tokens.selection
                         : m_tokens.dim);
    }
}

} // namespace fx::ui
