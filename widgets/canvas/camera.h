// SPDX-License-Identifier: GPL-3.0-or-later
// Where the eye is: the map from the picture's plane, in pixels at 100 %, to the screen.
#pragma once

#include <QPointF>
#include <QRectF>

#include <algorithm>

namespace fx::ui {

class Camera {
public:
    static constexpr double kLeast = 0.004, kMost = 4;

    double scale() const { return m_scale; }
    QPointF origin() const { return m_origin; }

    QPointF toScreen(QPointF point) const { return point * m_scale + m_origin; }
    QPointF toPlane(QPointF screen) const { return (screen - m_origin) / m_scale; }
    QRectF toScreen(const QRectF& rect) const { return {toScreen(rect.topLeft()), rect.size() * m_scale}; }
    QRectF toPlane(const QRectF& rect) const { return {toPlane(rect.topLeft()), rect.size() / m_scale}; }

    void pan(QPointF screenDelta) { m_origin += screenDelta; }
    /// What is under `screen` stays there.
    void zoomAt(QPointF screen, double factor) {
        const QPointF point = toPlane(screen);
        m_scale = std::clamp(m_scale * factor, kLeast, kMost);
        m_origin = screen - point * m_scale;
    }
    /// Shows `rect` whole and centred in `view`, magnified at most `most` times.
    void fit(const QRectF& rect, const QRectF& view, double most) {
        const double across = view.width() / std::max(1.0, rect.width());
        const double down = view.height() / std::max(1.0, rect.height());
        m_scale = std::clamp(std::min(across, down), kLeast, most);
        m_origin = view.center() - rect.center() * m_scale;
    }
    /// A camera on the way from `a` (t = 0) to `b` (t = 1).
    static Camera between(const Camera& a, const Camera& b, double t) {
        Camera out;
        out.m_scale = a.m_scale + (b.m_scale - a.m_scale) * t;
        out.m_origin = a.m_origin + (b.m_origin - a.m_origin) * t;
        return out;
    }

private:
    double m_scale = 1;
    QPointF m_origin;
};

} // namespace fx::ui
