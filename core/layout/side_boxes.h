// SPDX-License-Identifier: GPL-3.0-or-later
// Stubs, weights and constants that one box alone reads stand in a column at its left, so that they push
// nothing that the flow goes through. Which ones these are, diagram.h says.
#pragma once

#include "core/layout/diagram.h"

namespace fx {

class SideBoxes {
public:
    explicit SideBoxes(const Diagram& diagram);

    /// The room that the column of a box takes at its left, an even number; 0 for none.
    double room(int box) const { return m_columns[static_cast<size_t>(box)].room; }
    double height(int box) const { return m_columns[static_cast<size_t>(box)].height; }
    /// Gives those beside a box their places, once that has its own.
    void position(Diagram& diagram, int box) const;

private:
    struct Column {
        std::vector<int> boxes;
        double room = 0, height = 0;
    };
    std::vector<Column> m_columns; ///< by box
};

/// The way from a box that stands beside its reader.
std::vector<Point> sideWire(const DiagramBox& from, const DiagramBox& to);

} // namespace fx
