// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/dot_rows.h"

#include "core/layout/graphviz_text.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace fx {

namespace {

bool passesARow(const Level& level) {
    std::vector<int> length(level.items.size(), 0);
    std::vector<std::vector<int>> readers(level.items.size());
    for (const Level::Edge& edge : level.edges)
        readers[static_cast<size_t>(edge.from)].push_back(edge.to);
    int longest = 0;
    for (size_t item : forwardOrder(level))
        for (int to : readers[item])
            longest = std::max(longest, length[static_cast<size_t>(to)] =
                                            std::max(length[static_cast<size_t>(to)], length[item] + 1));
    return longest > 1;
}

/// Where a wire passes the ranks between its ends, as dot keeps it.
std::vector<double> passedBy(Agedge_t* edge) {
    std::vector<double> out;
    constexpr char kVirtual = 1;
    Agedge_t* at = ED_to_virt(edge);
    while (at && ND_node_type(aghead(at)) == kVirtual) {
        out.push_back(ND_coord(aghead(at)).x);
        at = ND_out(aghead(at)).list[0];
    }
    return out;
}

std::vector<Point> pathOf(Agedge_t* edge, double height) {
    std::vector<Point> path;
    const splines* route = ED_spl(edge);
    if (!route || route->size == 0)
        return path;
    const bezier& curve = route->list[0];
    for (size_t i = 0; i < static_cast<size_t>(curve.size); ++i)
        path.push_back({curve.list[i].x, height - curve.list[i].y});
    return path;
}

} // namespace

Plumb addPlumb(Agraph_t* graph, const Level& level) {
    Plumb plumb;
    if (!passesARow(level))
        return plumb;
    for (const auto& [node, border] : {std::pair(&plumb.top, "entries"), std::pair(&plumb.bottom, "exits")}) {
        *node = agnode(graph, text((std::string("plumb ") + border).c_str()), 1);
        set(*node, "width", "0.01");
        set(*node, "height", "0.01");
        if (Agraph_t* row = agsubg(graph, text(border), 0))
            agsubnode(row, *node, 1);
    }
    plumb.edge = agedge(graph, plumb.top, plumb.bottom, nullptr, 1);
    set(plumb.edge, "minlen", "2");
    set(plumb.edge, "weight", kTrunkWeight);
    set(plumb.edge, "tailport", "s");
    set(plumb.edge, "headport", "n");
    return plumb;
}

RowOrder rowsOf(Agraph_t* graph, const Level& level, const std::vector<Agnode_t*>& nodes,
                const std::vector<Agedge_t*>& edges, const Plumb& plumb) {
    RowOrder out;
    const double height = GD_bb(graph).UR.y;
    const std::vector<double> passed = plumb.edge ? passedBy(plumb.edge) : std::vector<double>();
    const double moved = passed.empty() ? 0 : ND_coord(plumb.top).x - passed.front();
    const bool isPlumb = plumb.edge && std::abs(ND_coord(plumb.top).x - ND_coord(plumb.bottom).x) < 0.5;
    const int first = GD_minrank(graph);
    out.middle.resize(static_cast<size_t>(GD_maxrank(graph) - first + 1));
    std::vector<Point> centers;
    for (Agnode_t* node : nodes) {
        centers.push_back({ND_coord(node).x, height - ND_coord(node).y});
        out.row.push_back(static_cast<size_t>(ND_rank(node) - first));
        out.x.push_back(centers.back().x);
        out.middle[out.row.back()] = centers.back().y;
    }
    for (size_t e = 0; e < edges.size(); ++e) {
        const auto from = static_cast<size_t>(level.edges[e].from);
        const auto to = static_cast<size_t>(level.edges[e].to);
        std::vector<double>& passed = out.passed.emplace_back(passedBy(edges[e]));
        for (double& x : passed)
            x += moved;
        std::vector<Point>& path = out.upwards.emplace_back();
        if (out.row[from] + passed.size() + 1 == out.row[to] && (passed.empty() || isPlumb))
            continue;
        path = pathOf(edges[e], height);
        if (path.size() < 4)
            path = directCurve(level, level.edges[e], centers);
    }
    return out;
}

} // namespace fx
