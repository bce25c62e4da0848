// SPDX-License-Identifier: GPL-3.0-or-later
// One level of a picture to lay out: boxes of known size and the edges between them, in numbers only.
// Layouters take it and give positions.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace fx {

struct Point {
    double x = 0, y = 0;
    bool operator==(const Point&) const = default;
};

struct Level {
    /// Wires meet what is ported at its ports. Entries belong to the top border, exits to the bottom.
    enum class Role { Box, Ported, Entry, Exit };
    struct Item {
        double width, height;
        Role role = Role::Box;
        double load = 0; ///< what it does to the data that flows through (DiagramBox::load)
    };
    struct Edge {
        int from, to;
        double fromX = 0, toX = 0; ///< the ports, from the middle of what is ported
        bool isTrunk = false;      ///< it is to be straight
    };
    std::vector<Item> items;
    std::vector<Edge> edges;
    /// Entries, or exits: the first stands left of the second.
    std::vector<std::pair<int, int>> portOrder;
};

/// y grows downwards; (0, 0) is the top left corner of what all boxes cover.
struct LevelLayout {
    std::vector<Point> centers;            ///< by item
    std::vector<std::vector<Point>> paths; ///< by edge: cubic Bezier curves, 1 + 3n points
    double width = 0, height = 0;
};

/// The items in an order in which edges run forwards; those of a circle, which a picture of scopes can have,
/// as far as they are met.
std::vector<size_t> forwardOrder(const Level& level);
/// The edges of the main path, in order: the one whose items have the greatest load, and of paths with equal
/// loads the longest.
std::vector<size_t> trunkOf(const Level& level);

/// A curve that leaves `from` downwards and reaches `to` from above.
std::vector<Point> verticalCurve(Point from, Point to);
/// The same from the one item of an edge to the other.
std::vector<Point> directCurve(const Level& level, const Level::Edge& edge,
                               const std::vector<Point>& centers);

/// Distances that all layouters keep.
inline constexpr double kBoxGap = 28;  ///< between neighbours
inline constexpr double kRankGap = 40; ///< between ranks, room for the edges

} // namespace fx
