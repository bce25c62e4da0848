// SPDX-License-Identifier: GPL-3.0-or-later
// Room beside what floats over the canvas: minimap, zoom control, legend, notices. All in pixels of the
// canvas.
#pragma once

#include <QRectF>

#include <vector>

namespace fx::ui {

/// The shortest way for `target` to where no cover is over it, within `area`; none where it is clear already,
/// or cannot be.
QPointF clearance(const QRectF& target, const std::vector<QRectF>& covers, const QRectF& area);
/// Two parts of the area that are clear: that above covers at the lower edge (below those at the upper one),
/// and that beside them.
struct ClearAreas {
    QRectF above, beside;
};
ClearAreas clearAreas(const QRectF& area, const std::vector<QRectF>& covers);

} // namespace fx::ui
