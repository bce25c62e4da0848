// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_geometry.h"

#include "core/layout/placement.h"

#include <algorithm>
#include <cmath>

namespace fx::ui {

namespace {

using Kind = DiagramBox::Kind;

QRectF finalRect(const DiagramBox& box) {
    return {box.x, box.y, box.width, box.height};
}

double distance(QPointF point, QPointF a, QPointF b) {
    const QPointF along = b - a, to = point - a;
    const double length = QPointF::dotProduct(along, along);
    const double t = length > 0 ? std::clamp(QPointF::dotProduct(to, along) / length, 0.0, 1.0) : 0;
    const QPointF rest = to - along * t;
    return std::hypot(rest.x(), rest.y());
}

QPointF onCurve(const Point* p, double t) {
    const double u = 1 - t;
    const double a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;
    return {a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
            a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}

} // namespace

CanvasGeometry::CanvasGeometry(std::shared_ptr<const Picture> picture) : m_picture(std::move(picture)) {
    const Diagram& diagram = m_picture->diagram;
    for (size_t i = 0; i < diagram.boxes.size(); ++i)
        // Room for what is drawn around a box: rings, the stack of a scope, a message below.
        m_boxes.insert(static_cast<int>(i), finalRect(diagram.boxes[i]).adjusted(-10, -10, 10, 24));
    for (size_t i = 0; i < diagram.edges.size(); ++i) {
        const std::vector<Point>& path = diagram.edges[i].path;
        double left = HUGE_VAL, top = HUGE_VAL, right = -HUGE_VAL, bottom = -HUGE_VAL;
        for (const Point& p : path) {
            left = std::min(left, p.x);
            right = std::max(right, p.x);
            top = std::min(top, p.y);
            bottom = std::max(bottom, p.y);
        }
        if (!path.empty())
            m_edges.insert(static_cast<int>(i),
                           QRectF(QPointF(left, top), QPointF(right, bottom)).adjusted(-6, -6, 6, 6));
    }
}

QRectF CanvasGeometry::bounds() const {
    return m_picture ? QRectF(0, 0, m_picture->diagram.width, m_picture->diagram.height) : QRectF();
}

QRectF CanvasGeometry::rect(int index) const {
    const QRectF there = finalRect(box(index));
    if (m_transition >= 1 || m_from.empty())
        return there;
    const QPointF from = m_from[static_cast<size_t>(index)];
    return there.translated((from - there.topLeft()) * (1 - m_transition));
}

QRectF CanvasGeometry::titleRect(int index) const {
    QRectF out = rect(index);
    out.setHeight(kScopeTitle);
    return out;
}

int CanvasGeometry::boxAt(QPointF point) const {
    if (!m_picture)
        return -1;
    const std::vector<int> near = m_boxes.query(QRectF(point, QSizeF(0, 0)));
    // Inner boxes come after what is around them.
    for (auto at = near.rbegin(); at != near.rend(); ++at) {
        const QRectF where = box(*at).kind == Kind::ExpandedScope ? titleRect(*at) : rect(*at);
        if (where.contains(point))
            return *at;
    }
    return -1;
}

int CanvasGeometry::edgeAt(QPointF point, double reach) const {
    if (!m_picture)
        return -1;
    int best = -1;
    double nearest = reach;
    for (int index : m_edges.query(QRectF(point - QPointF(reach, reach), QSizeF(2 * reach, 2 * reach)))) {
        const std::vector<Point>& path = edge(index).path;
        for (size_t i = 0; i + 3 < path.size(); i += 3) {
            QPointF last(path[i].x, path[i].y);
            for (int step = 1; step <= 12; ++step) {
                const QPointF next = onCurve(&path[i], step / 12.0);
                if (const double d = distance(point, last, next); d < nearest) {
                    nearest = d;
                    best = index;
                }
                last = next;
            }
        }
    }
    return best;
}

int CanvasGeometry::scopeBox(const QString& path) const {
    if (!m_picture || path.isEmpty())
        return -1;
    const auto found = std::find(m_picture->scopePaths.begin(), m_picture->scopePaths.end(), path);
    return found == m_picture->scopePaths.end() ? -1
                                                : static_cast<int>(found - m_picture->scopePaths.begin());
}

int CanvasGeometry::counterpart(const CanvasGeometry& other, int index) const {
    if (!m_picture || index < 0 || m_picture->module != other.m_picture->module)
        return -1;
    const DiagramBox& wanted = other.box(index);
    if (wanted.kind == Kind::Stub)
        return -1;
    if (wanted.kind == Kind::Node)
        return m_picture->diagram.boxOf(wanted.node);
    return scopeBox(other.m_picture->scopePaths[static_cast<size_t>(index)]);
}

void CanvasGeometry::passFrom(const CanvasGeometry& old) {
    m_from.clear();
    if (!old.m_picture || !m_picture || old.m_picture->module != m_picture->module)
        return;
    std::unordered_map<std::string, int> scopes;
    const auto& paths = old.m_picture->scopePaths;
    for (size_t i = 0; i < paths.size(); ++i)
        if (!paths[i].isEmpty())
            scopes[paths[i].toStdString()] = static_cast<int>(i);
    const size_t count = m_picture->diagram.boxes.size();
    for (size_t i = 0; i < count; ++i) {
        const DiagramBox& now = m_picture->diagram.boxes[i];
        int was = -1;
        if (now.kind == Kind::Node)
            was = old.m_picture->diagram.boxOf(now.node);
        else if (const auto found = scopes.find(m_picture->scopePaths[i].toStdString());
                 now.kind != Kind::Stub && found != scopes.end())
            was = found->second;
        const QPointF there(now.x, now.y);
        if (was < 0)
            m_from.push_back(there);
        else if (old.box(was).kind == Kind::Node || now.kind != Kind::Node)
            m_from.push_back(old.rect(was).topLeft());
        else // a node comes out of the scope that it was hidden in
            m_from.push_back(old.rect(was).center() - QPointF(now.width, now.height) / 2);
    }
}

} // namespace fx::ui
