// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/side_boxes.h"

#include <algorithm>
#include <cmath>

namespace fx {

namespace {

constexpr double kStackGap = 8; ///< between boxes of a column
constexpr double kWireRoom = 28;

} // namespace

SideBoxes::SideBoxes(const Diagram& diagram) : m_columns(diagram.boxes.size()) {
    for (size_t i = 0; i < diagram.boxes.size(); ++i) {
        const DiagramBox& box = diagram.boxes[i];
        if (box.beside < 0)
            continue;
        Column& column = m_columns[static_cast<size_t>(box.beside)];
        column.height += box.height + (column.boxes.empty() ? 0 : kStackGap);
        column.boxes.push_back(static_cast<int>(i));
        column.room = std::max(column.room, 2 * std::ceil((box.width + kWireRoom) / 2));
    }
}

void SideBoxes::position(Diagram& diagram, int reader) const {
    const DiagramBox& at = diagram.boxes[static_cast<size_t>(reader)];
    const Column& column = m_columns[static_cast<size_t>(reader)];
    double y = at.y + (at.height - column.height) / 2;
    for (int index : column.boxes) {
        DiagramBox& box = diagram.boxes[static_cast<size_t>(index)];
        box.x = at.x - kWireRoom - box.width;
        box.y = y;
        y += box.height + kStackGap;
    }
}

std::vector<Point> sideWire(const DiagramBox& from, const DiagramBox& to) {
    const double margin = std::min(10.0, to.height / 2);
    const Point start{from.x + from.width, from.y + from.height / 2};
    const Point end{to.x, std::clamp(start.y, to.y + margin, to.y + to.height - margin)};
    const double bend = (end.x - start.x) / 2;
    return {start, {start.x + bend, start.y}, {end.x - bend, end.y}, end};
}

} // namespace fx
