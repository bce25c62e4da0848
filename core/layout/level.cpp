// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/level.h"

#include "core/base/error.h"

#include <algorithm>
#include <sstream>

namespace fx {

std::string levelText(const Level& level) {
    std::ostringstream out;
    out << level.items.size() << ' ' << level.edges.size() << ' ' << level.portOrder.size() << '\n';
    for (const Level::Item& item : level.items)
        out << item.width << ' ' << item.height << ' ' << static_cast<int>(item.role) << '\n';
    for (const Level::Edge& edge : level.edges)
        out << edge.from << ' ' << edge.to << ' ' << edge.fromX << ' ' << edge.toX << ' ' << edge.isTrunk
            << '\n';
    for (const auto& [left, right] : level.portOrder)
        out << left << ' ' << right << '\n';
    return out.str();
}

Level levelFromText(const std::string& text) {
    std::istringstream in(text);
    size_t items = 0, edges = 0, orders = 0;
    in >> items >> edges >> orders;
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
        in >> edge.from >> edge.to >> edge.fromX >> edge.toX >> edge.isTrunk;
        level.edges.push_back(edge);
    }
    for (size_t i = 0; i < orders && in; ++i) {
        auto& [left, right] = level.portOrder.emplace_back();
        in >> left >> right;
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

std::vector<size_t> forwardOrder(const Level& level) {
    const size_t count = level.items.size();
    std::vector<std::vector<size_t>> readers(count);
    std::vector<size_t> waiting(count, 0), ready, order;
    for (const Level::Edge& edge : level.edges) {
        readers[static_cast<size_t>(edge.from)].push_back(static_cast<size_t>(edge.to));
        ++waiting[static_cast<size_t>(edge.to)];
    }
    for (size_t i = count; i-- > 0;)
        if (waiting[i] == 0)
            ready.push_back(i);
    std::vector<bool> isDone(count, false);
    for (size_t next = 0; order.size() < count;) {
        if (ready.empty()) {
            while (isDone[next])
                ++next;
            ready.push_back(next);
        }
        const size_t item = ready.back();
        ready.pop_back();
        if (isDone[item])
            continue;
        isDone[item] = true;
        order.push_back(item);
        for (size_t reader : readers[item])
            if (--waiting[reader] == 0)
                ready.push_back(reader);
    }
    return order;
}

std::vector<size_t> trunkOf(const Level& level) {
    // What comes in from outside is the main thing; a weight or a stub beside it is higher, and is not.
    const auto lengthOf = [&](size_t item) {
        const Level::Item& it = level.items[item];
        return it.role == Level::Role::Entry || it.role == Level::Role::Exit ? 100 : it.height;
    };
    const std::vector<size_t> order = forwardOrder(level);
    constexpr size_t kNone = static_cast<size_t>(-1);
    std::vector<size_t> place(order.size()), via(order.size(), kNone);
    for (size_t i = 0; i < order.size(); ++i)
        place[order[i]] = i;
    std::vector<std::vector<size_t>> into(order.size());
    for (size_t e = 0; e < level.edges.size(); ++e)
        into[static_cast<size_t>(level.edges[e].to)].push_back(e);
    std::vector<double> length(order.size(), 0);
    size_t end = kNone;
    for (size_t item : order) {
        double longest = 0;
        for (size_t e : into[item]) {
            const auto from = static_cast<size_t>(level.edges[e].from);
            if (place[from] < place[item] && length[from] > longest) {
                longest = length[from];
                via[item] = e;
            }
        }
        length[item] = longest + lengthOf(item);
        if (end == kNone || length[item] > length[end])
            end = item;
    }
    std::vector<size_t> trunk;
    for (size_t at = end; at != kNone && via[at] != kNone;
         at = static_cast<size_t>(level.edges[via[at]].from))
        trunk.push_back(via[at]);
    std::reverse(trunk.begin(), trunk.end());
    return trunk;
}

std::vector<Point> verticalCurve(Point from, Point to) {
    // Steep where it leaves and arrives; also where it has to go upwards.
    const double bend = std::max(16.0, std::abs(to.y - from.y) / 2);
    return {from, {from.x, from.y + bend}, {to.x, to.y - bend}, to};
}

std::vector<Point> directCurve(const Level& level, const Level::Edge& edge,
                               const std::vector<Point>& centers) {
    const auto from = static_cast<size_t>(edge.from), to = static_cast<size_t>(edge.to);
    return verticalCurve({centers[from].x + edge.fromX, centers[from].y + level.items[from].height / 2},
                         {centers[to].x + edge.toX, centers[to].y - level.items[to].height / 2});
}

} // namespace fx
