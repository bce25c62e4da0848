// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/level.h"

#include "core/base/error.h"

#include <algorithm>
#include <sstream>

namespace fx {

std::string levelText(const Level& level) {
    std::ostringstream out;
    out << level.items.size() << ' ' << level.edges.size() << '\n';
    for (const Level::Item& item : level.items)
        out << item.width << ' ' << item.height << ' ' << static_cast<int>(item.role) << '\n';
    for (const Level::Edge& edge : level.edges)
        out << edge.from << ' ' << edge.to << '\n';
    return out.str();
}

Level levelFromText(const std::string& text) {
    std::istringstream in(text);
    size_t items = 0, edges = 0;
    in >> items >> edges;
    Level level;
    for (size_t i = 0; i < items && in; ++i) {
        Level::Item item{};
        int role = 0;
        in >> item.width >> item.height >> role;
        item.role = static_cast<Level::Role>(role);
        level.items.push_back(item);
    }
    for (size_t i = 0; i < edges && in; ++i) {
        Level::Edge edge{};
        in >> edge.from >> edge.to;
        level.edges.push_back(edge);
    }
    if (!in)
        throw Error("layout", "a request ends too early");
    return level;
}

std::string layoutText(const LevelLayout& layout) {
    std::ostringstream out;
    out << layout.width << ' ' << layout.height << '\n';
    for (Point p : layout.centers)
        out << p.x << ' ' << p.y << '\n';
    for (const std::vector<Point>& path : layout.paths) {
        out << path.size();
        for (Point p : path)
            out << ' ' << p.x << ' ' << p.y;
        out << '\n';
    }
    return out.str();
}

LevelLayout layoutFromText(const std::string& text, size_t items, size_t edges) {
    std::istringstream in(text);
    LevelLayout layout;
    in >> layout.width >> layout.height;
    for (size_t i = 0; i < items; ++i) {
        Point& p = layout.centers.emplace_back();
        in >> p.x >> p.y;
    }
    for (size_t i = 0; i < edges; ++i) {
        size_t count = 0;
        in >> count;
        std::vector<Point>& path = layout.paths.emplace_back();
        for (size_t k = 0; k < count && in; ++k) {
            Point& p = path.emplace_back();
            in >> p.x >> p.y;
        }
    }
    if (!in)
        throw Error("layout", "an answer ends too early");
    return layout;
}

std::vector<Point> verticalCurve(Point from, Point to) {
    // Steep where it leaves and arrives; also where it has to go upwards.
    const double bend = std::max(16.0, std::abs(to.y - from.y) / 2);
    return {from, {from.x, from.y + bend}, {to.x, to.y - bend}, to};
}

} // namespace fx
