// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/straight_wires.h"

#include <algorithm>
#include <cmath>

namespace fx {

namespace {

constexpr double kFromBox = kBoxGap / 2;
constexpr double kFromWire = 5; ///< of the middle between two

struct Room {
    double low, high;
};

/// What a row holds at a place: a box, or where a wire passes.
struct Held {
    double x, half; ///< half of the width of a box; of a wire, 0
    Room* room;     ///< of a wire: where it may pass; null for a box
};

/// By row, from left to right.
std::vector<std::vector<Held>> heldBy(const Level& level, const RowOrder& order,
                                      std::vector<std::vector<Room>>& rooms) {
    std::vector<std::vector<Held>> rows(order.middle.size());
    for (size_t i = 0; i < level.items.size(); ++i)
        rows[order.row[i]].push_back({order.x[i], level.items[i].width / 2, nullptr});
    for (size_t e = 0; e < rooms.size(); ++e) {
        const size_t first = order.row[static_cast<size_t>(level.edges[e].from)] + 1;
        for (size_t k = 0; k < rooms[e].size(); ++k)
            rows[first + k].push_back({order.passed[e][k], 0, &rooms[e][k]});
    }
    for (std::vector<Held>& row : rows)
        std::ranges::stable_sort(row, {}, &Held::x);
    return rows;
}

/// How near to a neighbour at its side something at `x` may come.
double borderTo(const Held& neighbour, double x) {
    const double away = x > neighbour.x ? 1 : -1;
    return neighbour.room ? (x + neighbour.x) / 2 + away * kFromWire
                          : neighbour.x + away * (neighbour.half + kFromBox);
}

std::vector<std::vector<Room>> roomsOf(const Level& level, const RowOrder& order) {
    std::vector<std::vector<Room>> rooms(level.edges.size());
    for (size_t e = 0; e < rooms.size(); ++e)
        if (order.upwards[e].empty())
            rooms[e].resize(order.passed[e].size());
    for (const std::vector<Held>& row : heldBy(level, order, rooms))
        for (size_t k = 0; k < row.size(); ++k) {
            if (!row[k].room)
                continue;
            const double x = row[k].x;
            row[k].room->low = k ? std::min(x, borderTo(row[k - 1], x)) : -HUGE_VAL;
            row[k].room->high = k + 1 < row.size() ? std::max(x, borderTo(row[k + 1], x)) : HUGE_VAL;
        }
    return rooms;
}

/// The first row after those from `first` that can be passed on one line; where that may be.
size_t lineFrom(size_t first, const std::vector<Room>& rooms, Room& line) {
    line = rooms[first];
    size_t end = first + 1;
    for (; end < rooms.size(); ++end) {
        const Room both{std::max(line.low, rooms[end].low), std::min(line.high, rooms[end].high)};
        if (both.low > both.high)
            break;
        line = both;
    }
    return end;
}

} // namespace

std::vector<std::vector<double>> straightened(const Level& level, const RowOrder& order) {
    std::vector<std::vector<double>> passed = order.passed;
    const std::vector<std::vector<Room>> rooms = roomsOf(level, order);
    for (size_t e = 0; e < rooms.size(); ++e) {
        const Level::Edge& edge = level.edges[e];
        double x = order.x[static_cast<size_t>(edge.from)] + edge.fromX;
        const double goal = order.x[static_cast<size_t>(edge.to)] + edge.toX;
        for (size_t row = 0; row < rooms[e].size();) {
            Room line{};
            const size_t end = lineFrom(row, rooms[e], line);
            const bool leadsHome = end == rooms[e].size() && goal >= line.low && goal <= line.high;
            const bool isOnWay = x >= line.low && x <= line.high;
            x = leadsHome && !isOnWay ? goal : std::clamp(x, line.low, line.high);
            std::fill(passed[e].begin() + static_cast<std::ptrdiff_t>(row),
                      passed[e].begin() + static_cast<std::ptrdiff_t>(end), x);
            row = end;
        }
    }
    return passed;
}

} // namespace fx
