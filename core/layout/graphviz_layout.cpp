// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/graphviz_layout.h"

#include "core/base/error.h"
#include "core/layout/dot_rows.h"
#include "core/layout/graphviz_text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace fx {

namespace {

constexpr double kPointsPerInch = 72;

/// Where an edge meets an item, counted from the left edge of that.
int portAt(const Level::Item& item, double x) {
    return std::clamp(static_cast<int>(std::lround(item.width / 2 + x)), 1, static_cast<int>(item.width) - 1);
}

/// Names of ports by their places; places that are next to each other have one.
using Ports = std::map<int, std::string>;

/// Graphviz takes no higher cell.
constexpr double kHighestCell = 60000;

/// A table as large as the item, with a cell for each place where edges meet it: those of the first row, "a",
/// at the top, and those of the last one, "z", at the bottom.
std::string portTable(const Level::Item& item, Ports& ports) {
    std::vector<std::pair<int, std::string>> cells;
    int x = 0;
    for (auto& [port, name] : ports) {
        if (port > x) {
            if (port - 1 > x)
                cells.emplace_back(port - 1 - x, "");
            cells.emplace_back(2, std::to_string(port));
            x = port + 1;
        }
        name = cells.back().second;
    }
    if (const int rest = static_cast<int>(item.width) - x; rest > 0)
        cells.emplace_back(rest, "");
    const int rows = std::max(2, static_cast<int>(std::ceil(item.height / kHighestCell)));
    std::string out = "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"0\">";
    for (int row = 0; row < rows; ++row) {
        const auto edgeOf = [&](int r) { return std::lround(item.height * r / rows); };
        out += "<TR>";
        for (const auto& [width, name] : cells) {
            out += "<TD FIXEDSIZE=\"TRUE\" WIDTH=\"" + std::to_string(width) + "\" HEIGHT=\"" +
                   std::to_string(edgeOf(row + 1) - edgeOf(row)) + '"';
            if (!name.empty() && (row == 0 || row == rows - 1))
                out += std::string(" PORT=\"") + (row == 0 ? 'a' : 'z') + name + '"';
            out += "></TD>";
        }
        out += "</TR>";
    }
    return out + "</TABLE>";
}

void setHtml(Agnode_t* node, const char* name, const std::string& value) {
    char* html = agstrdup_html(agroot(node), text(value.c_str()));
    agsafeset(node, text(name), html, text(""));
}

std::vector<Ports> portsOf(const Level& level) {
    std::vector<Ports> ports(level.items.size());
    for (const Level::Edge& edge : level.edges)
        for (const auto& [end, x] : {std::pair(edge.from, edge.fromX), std::pair(edge.to, edge.toX)})
            if (const auto item = static_cast<size_t>(end); level.items[item].role == Level::Role::Ported)
                ports[item][portAt(level.items[item], x)];
    return ports;
}

/// Names the ports, too.
std::vector<Agnode_t*> addItems(Agraph_t* graph, const Level& level, std::vector<Ports>& ports) {
    std::vector<Agnode_t*> nodes;
    Agraph_t *entries = nullptr, *exits = nullptr;
    for (const Level::Item& item : level.items) {
        Agnode_t* node = agnode(graph, text(("n" + std::to_string(nodes.size())).c_str()), 1);
        set(node, "width", std::to_string(item.width / kPointsPerInch));
        set(node, "height", std::to_string(item.height / kPointsPerInch));
        if (Ports& own = ports[nodes.size()]; !own.empty()) {
            set(node, "shape", "none");
            set(node, "margin", "0");
            setHtml(node, "label", portTable(item, own));
        }
        nodes.push_back(node);
        if (item.role == Level::Role::Box || item.role == Level::Role::Ported)
            continue;
        Agraph_t*& border = item.role == Level::Role::Entry ? entries : exits;
        if (!border) {
            border = agsubg(graph, text(item.role == Level::Role::Entry ? "entries" : "exits"), 1);
            set(border, "rank", item.role == Level::Role::Entry ? "source" : "sink");
        }
        agsubnode(border, node, 1);
    }
    return nodes;
}

std::vector<Agedge_t*> addEdges(Agraph_t* graph, const Level& level, const std::vector<Agnode_t*>& nodes,
                                const std::vector<Ports>& ports) {
    // A wire meets what is ported at its port, and borders and the trunk's boxes in the middle.
    const auto end = [&](size_t item, double x, bool isTrunk, bool isTail) {
        const std::string side = isTail ? "s" : "n";
        if (level.items[item].role == Level::Role::Ported)
            return (isTail ? 'z' : 'a') + ports[item].at(portAt(level.items[item], x)) + ':' + side;
        return isTrunk || level.items[item].role != Level::Role::Box ? side : std::string();
    };
    std::vector<Agedge_t*> edges;
    for (const Level::Edge& edge : level.edges) {
        const auto from = static_cast<size_t>(edge.from), to = static_cast<size_t>(edge.to);
        edges.push_back(agedge(graph, nodes[from], nodes[to], nullptr, 1));
        set(edges.back(), "tailport", end(from, edge.fromX, edge.isTrunk, true));
        set(edges.back(), "headport", end(to, edge.toX, edge.isTrunk, false));
        // One straight line; what else there is hangs beside it.
        if (edge.isTrunk)
            set(edges.back(), "weight", kTrunkWeight);
    }
    // Wires inside of one rank keep its order.
    for (const auto& [left, right] : level.portOrder)
        set(agedge(graph, nodes[static_cast<size_t>(left)], nodes[static_cast<size_t>(right)], nullptr, 1),
            "style", "invis");
    return edges;
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

    std::vector<Ports> ports = portsOf(level);
    const std::vector<Agnode_t*> nodes = addItems(graph, level, ports);
    const std::vector<Agedge_t*> edges = addEdges(graph, level, nodes, ports);
    const Plumb plumb = addPlumb(graph, level);
    if (gvLayout(context, graph, "dot") != 0) {
        agclose(graph);
        throw Error("layout", "Graphviz could not lay out " + std::to_string(level.items.size()) + " boxes");
    }
    const LevelLayout out = layoutOfRows(level, rowsOf(graph, level, nodes, edges, plumb));
    gvFreeLayout(context, graph);
    agclose(graph);
    return out;
}

} // namespace fx
