// SPDX-License-Identifier: GPL-3.0-or-later
// One level of a picture to lay out: boxes of known size and the edges between them, in numbers only.
// Layouters take it and give positions; as text it crosses to the worker process and is the key of the cache.
#pragma once

#include <string>
#include <vector>

namespace fx {

struct Point {
    double x = 0, y = 0;
    bool operator==(const Point&) const = default;
};

struct Level {
    enum class Role { Box, Entry, Exit }; ///< entries belong to the top border, exits to the bottom
    struct Item {
        double width, height;
        Role role = Role::Box;
    };
    struct Edge {
        int from, to;
    };
    std::vector<Item> items;
    std::vector<Edge> edges;
};

/// y grows downwards; (0, 0) is the top left corner of what all boxes cover.
struct LevelLayout {
    std::vector<Point> centers;            ///< by item
    std::vector<std::vector<Point>> paths; ///< by edge: cubic Bezier curves, 1 + 3n points
    double width = 0, height = 0;
};

std::string levelText(const Level& level);
Level levelFromText(const std::string& text);
std::string layoutText(const LevelLayout& layout);
/// Throws an Error for text that is no layout of that many items and edges.
LevelLayout layoutFromText(const std::string& text, size_t items, size_t edges);

/// A curve that leaves `from` downwards and reaches `to` from above.
std::vector<Point> verticalCurve(Point from, Point to);

/// Distances that all layouters keep.
inline constexpr double kBoxGap = 28;  ///< between neighbours
inline constexpr double kRankGap = 40; ///< between ranks, room for the edges

} // namespace fx
