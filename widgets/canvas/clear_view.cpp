// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/clear_view.h"

#include <algorithm>
#include <limits>

namespace fx::ui {

namespace {

constexpr double kClearGap = 8;

} // namespace

QPointF clearance(const QRectF& target, const std::vector<QRectF>& covers, const QRectF& area) {
    const auto isClear = [&](const QRectF& place) {
        return std::ranges::none_of(covers, [&](const QRectF& cover) { return cover.intersects(place); });
    };
    QPointF best;
    if (isClear(target))
        return best;
    double shortest = std::numeric_limits<double>::max();
    for (const QRectF& cover : covers) {
        const QPointF ways[] = {{0, cover.top() - kClearGap - target.bottom()},
                                {0, cover.bottom() + kClearGap - target.top()},
                                {cover.left() - kClearGap - target.right(), 0},
                                {cover.right() + kClearGap - target.left(), 0}};
        for (const QPointF& way : ways) {
            const QRectF place = target.translated(way);
            if (way.manhattanLength() < shortest && area.contains(place) && isClear(place)) {
                shortest = way.manhattanLength();
                best = way;
            }
        }
    }
    return best;
}

ClearAreas clearAreas(const QRectF& area, const std::vector<QRectF>& covers) {
    ClearAreas out{area, area};
    for (const QRectF& cover : covers) {
        if (!cover.intersects(area))
            continue;
        if (cover.center().y() > area.center().y())
            out.above.setBottom(std::min(out.above.bottom(), cover.top() - kClearGap));
        else
            out.above.setTop(std::max(out.above.top(), cover.bottom() + kClearGap));
        if (cover.center().x() < area.center().x())
            out.beside.setLeft(std::max(out.beside.left(), cover.right() + kClearGap));
        else
            out.beside.setRight(std::min(out.beside.right(), cover.left() - kClearGap));
    }
    return out;
}

} // namespace fx::ui
