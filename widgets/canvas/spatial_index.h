// SPDX-License-Identifier: GPL-3.0-or-later
// Rectangles by place: a grid of cells, for drawing only what is seen and finding what is under the mouse.
#pragma once

#include <QRectF>

#include <unordered_map>
#include <vector>

namespace fx::ui {

class SpatialIndex {
public:
    void insert(int item, const QRectF& rect);
    /// The items that may touch `rect`, each once, in the order of their insertion.
    std::vector<int> query(const QRectF& rect) const;

private:
    struct Cells {
        int left, top, right, bottom;
    };
    static Cells cellsOf(const QRectF& rect);

    std::unordered_map<qint64, std::vector<int>> m_cells;
    std::vector<int> m_large; ///< those that lie in too many cells
    std::vector<QRectF> m_rects;
};

} // namespace fx::ui
