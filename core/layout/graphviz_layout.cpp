// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/graphviz_layout.h"

#include "core/base/error.h"

#include <graphviz/gvc.h>

#include <algorithm>
#include <string>

namespace fx {

namespace {

constexpr double kPointsPerInch = 72;

/// Old interfaces take text by pointers that they do not write through.
char* text(const char* constant) {
    return const_cast<char*>(constant);
}

void set(void* object, const char* name, const std::string& value) {
    agsafeset(object, text(name), text(value.c_str()), text(""));
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

LevelLayout layoutWithGraphviz(const Level& level) {
    static GVC_t* context = gvContext();
    Agraph_t* graph = agopen(text("level"), Agdirected, nullptr);
    set(graph, "nodesep", std::to_string(kBoxGap / kPointsPerInch));
    set(graph, "ranksep", std::to_string(kRankGap / kPointsPerInch));
    // Bounds on the simplex method; what they cost in beauty is not seen, what they save is minutes.
    set(graph, "nslimit", level.items.size() > 150 ? "1" : "4");
    set(graph, "nslimit1", level.items.size() > 150 ? "1" : "4");
    set(graph, "splines", "spline");
    agattr(graph, AGNODE, text("shape"), text("box"));
    agattr(graph, AGNODE, text("fixedsize"), text("true"));
    agattr(graph, AGNODE, text("label"), text(""));
    agattr(graph, AGEDGE, text("arrowhead"), text("none"));

    std::vector<Agnode_t*> nodes;
    Agraph_t *entries = nullptr, *exits = nullptr;
    for (const Level::Item& item : level.items) {
        Agnode_t* node = agnode(graph, text(("n" + std::to_string(nodes.size())).c_str()), 1);
        set(node, "width", std::to_string(item.width / kPointsPerInch));
        set(node, "height", std::to_string(item.height / kPointsPerInch));
        nodes.push_back(node);
        if (item.role == Level::Role::Box)
            continue;
        Agraph_t*& border = item.role == Level::Role::Entry ? entries : exits;
        if (!border) {
            border = agsubg(graph, text(item.role == Level::Role::Entry ? "entries" : "exits"), 1);
            set(border, "rank", item.role == Level::Role::Entry ? "source" : "sink");
        }
        agsubnode(border, node, 1);
    }
    std::vector<Agedge_t*> edges;
    for (const Level::Edge& edge : level.edges)
        edges.push_back(agedge(graph, nodes[static_cast<size_t>(edge.from)],
                               nodes[static_cast<size_t>(edge.to)], nullptr, 1));

    if (gvLayout(context, graph, "dot") != 0) {
        agclose(graph);
        throw Error("layout", "Graphviz could not lay out " + std::to_string(level.items.size()) + " boxes");
    }
    const boxf bounds = GD_bb(graph);
    const double height = bounds.UR.y;
    LevelLayout out;
    for (Agnode_t* node : nodes)
        out.centers.push_back({ND_coord(node).x, height - ND_coord(node).y});
    for (size_t i = 0; i < edges.size(); ++i) {
        out.paths.push_back(pathOf(edges[i], height));
        if (out.paths.back().size() < 4) {
            const auto from = static_cast<size_t>(level.edges[i].from),
                       to = static_cast<size_t>(level.edges[i].to);
            out.paths.back() = verticalCurve(out.centers[from], out.centers[to]);
        }
    }
    // Edges may reach beyond the boxes; what is asked for is the room of both.
    out.width = bounds.UR.x;
    out.height = height;
    gvFreeLayout(context, graph);
    agclose(graph);
    return out;
}

} // namespace fx
