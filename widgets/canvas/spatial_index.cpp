// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/spatial_index.h"

#include <algorithm>
#include <cmath>

namespace fx::ui {

namespace {

constexpr double kCell = 600;
constexpr int kMostCellsOfItem = 64; // what lies in more is looked at each time

qint64 key(int x, int y) {
    return (static_cast<qint64>(x) << 32) ^ static_cast<quint32>(y);
}

} // namespace

SpatialIndex::Cells SpatialIndex::cellsOf(const QRectF& rect) {
    const auto cell = [](double at) {
        return static_cast<int>(std::floor(std::clamp(at, -1e12, 1e12) / kCell));
    };
    return {cell(rect.left()), cell(rect.top()), cell(rect.right()), cell(rect.bottom())};
}

void SpatialIndex::insert(int item, const QRectF& rect) {
    if (item >= static_cast<int>(m_rects.size()))
        m_rects.resize(static_cast<size_t>(item) + 1);
    m_rects[static_cast<size_t>(item)] = rect;
    const Cells cells = cellsOf(rect);
    const qint64 count = qint64(cells.right - cells.left + 1) * (cells.bottom - cells.top + 1);
    if (count > kMostCellsOfItem) {
        m_large.push_back(item);
        return;
    }
    for (int x = cells.left; x <= cells.right; ++x)
        for (int y = cells.top; y <= cells.bottom; ++y)
            m_cells[key(x, y)].push_back(item);
}

std::vector<int> SpatialIndex::query(const QRectF& rect) const {
    std::vector<int> out;
    const auto take = [&](int item) {
        const QRectF& r = m_rects[static_cast<size_t>(item)];
        // QRectF::intersects() never finds a rectangle without width, such as a vertical edge.
        if (r.left() <= rect.right() && r.right() >= rect.left() && r.top() <= rect.bottom() &&
            r.bottom() >= rect.top())
            out.push_back(item);
    };
    const Cells cells = cellsOf(rect);
    const qint64 count = (qint64(cells.right) - cells.left + 1) * (qint64(cells.bottom) - cells.top + 1);
    if (count > static_cast<qint64>(m_cells.size())) {
        for (int item = 0; item < static_cast<int>(m_rects.size()); ++item)
            take(item);
        return out;
    }
    for (int x = cells.left; x <= cells.right; ++x)
        for (int y = cells.top; y <= cells.bottom; ++y)
            if (const auto found = m_cells.find(key(x, y)); found != m_cells.end())
                for (int item : found->second)
                    take(item);
    for (int item : m_large)
        take(item);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

} // namespace fx::ui
