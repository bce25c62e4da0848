// SPDX-License-Identifier: GPL-3.0-or-later
// Wires of a picture in rows: straight down beside what stands in a row, curved in the gaps between rows. As
// all curves of a gap have one profile, wires cross there only where their order changes.
#pragma once

#include "core/layout/level.h"

namespace fx {

/// Goes on from the end of a way, straight down.
void goDown(std::vector<Point>& path, double y);
/// Goes on from the end of a way, which leads down, to a point from which it leads down again.
void turnTo(std::vector<Point>& path, Point to);

/// Which row each item is in and where, and where wires pass the rows between their ends.
struct RowOrder {
    std::vector<size_t> row;                 ///< by item
    std::vector<double> x;                   ///< by item: its middle
    std::vector<std::vector<double>> passed; ///< by edge that leads down: for each row between
    /// By edge that leads upwards, as a picture of scopes can have: its way, in rows whose middles are these.
    std::vector<std::vector<Point>> upwards;
    std::vector<double> middle; ///< by row
};

/// Gives rows and gaps their heights, and wires their ways. A gap grows with the wires that run beside each
/// other in it.
LevelLayout layoutOfRows(const Level& level, const RowOrder& order);

} // namespace fx
