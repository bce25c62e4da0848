// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/level.h"

#include <algorithm>

namespace fx {

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
    constexpr double kHeightOfLoad = 1e4;
    const auto lengthOf = [&](size_t item) {
        const Level::Item& it = level.items[item];
        const bool isPort = it.role == Level::Role::Entry || it.role == Level::Role::Exit;
        return isPort ? 100 : it.height + kHeightOfLoad * it.load;
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
