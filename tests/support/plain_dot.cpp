// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/plain_dot.h"

#include "core/base/error.h"
#include "core/layout/level_message.h"
#include "core/layout/placement.h"
#include "core/layout/worker_client.h"

#include <graphviz/gvc.h>

#include <map>
#include <sys/wait.h>
#include <unistd.h>

namespace fx {

namespace {

void set(void* object, const char* name, const std::string& value) {
    agsafeset(object, const_cast<char*>(name), const_cast<char*>(value.c_str()), const_cast<char*>(""));
}

LevelLayout plainLayout(const Diagram& diagram) {
    Agraph_t* graph = agopen(const_cast<char*>("plain"), Agdirected, nullptr);
    set(graph, "nodesep", std::to_string(kBoxGap / 72));
    set(graph, "ranksep", std::to_string(kRankGap / 72));
    std::map<int, Agraph_t*> clusters{{-1, graph}};
    std::vector<Agnode_t*> nodes(diagram.boxes.size());
    for (size_t i = 0; i < diagram.boxes.size(); ++i) {
        const DiagramBox& box = diagram.boxes[i];
        Agraph_t* around = clusters.at(box.parent);
        const std::string name = std::to_string(i);
        if (box.kind == DiagramBox::Kind::ExpandedScope) {
            clusters[static_cast<int>(i)] = agsubg(around, ("cluster" + name).data(), 1);
            continue;
        }
        nodes[i] = agnode(around, const_cast<char*>(name.c_str()), 1);
        set(nodes[i], "shape", "box");
        set(nodes[i], "label", "");
        set(nodes[i], "fixedsize", "true");
        set(nodes[i], "width", std::to_string(box.width / 72));
        set(nodes[i], "height", std::to_string(box.height / 72));
    }
    std::vector<Agedge_t*> edges;
    for (const DiagramEdge& edge : diagram.edges)
        edges.push_back(agedge(graph, nodes[static_cast<size_t>(edge.from)],
                               nodes[static_cast<size_t>(edge.to)], nullptr, 1));
    gvLayout(gvContext(), graph, "dot");
    LevelLayout out;
    out.width = GD_bb(graph).UR.x;
    out.height = GD_bb(graph).UR.y;
    for (Agnode_t* node : nodes)
        out.centers.push_back(node ? Point{ND_coord(node).x, out.height - ND_coord(node).y} : Point());
    for (Agedge_t* edge : edges) {
        std::vector<Point>& path = out.paths.emplace_back();
        if (const splines* route = ED_spl(edge))
            for (size_t i = 0; i < static_cast<size_t>(route->list[0].size); ++i)
                path.push_back({route->list[0].list[i].x, out.height - route->list[0].list[i].y});
    }
    return out;
}

} // namespace

void placeByPlainDot(Diagram& diagram) {
    int ends[2];
    if (::pipe(ends) != 0)
        throw Error("plain dot", "has no pipe");
    // In a process of its own, as clusters leave Graphviz in a state in which the next graph may crash it.
    const pid_t child = ::fork();
    if (child == 0) {
        const std::string text = layoutBytes(plainLayout(diagram));
        for (size_t sent = 0; sent < text.size();)
            sent += static_cast<size_t>(
                std::max<ssize_t>(0, ::write(ends[1], text.data() + sent, text.size() - sent)));
        ::_exit(0);
    }
    ::close(ends[1]);
    std::string text;
    char buffer[1 << 16];
    for (ssize_t count; (count = ::read(ends[0], buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<size_t>(count));
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);
    const LevelLayout layout = layoutFrom(text, diagram.boxes.size(), diagram.edges.size());
    diagram.width = layout.width;
    diagram.height = layout.height;
    for (size_t i = 0; i < diagram.boxes.size(); ++i) {
        diagram.boxes[i].x = layout.centers[i].x - diagram.boxes[i].width / 2;
        diagram.boxes[i].y = layout.centers[i].y - diagram.boxes[i].height / 2;
    }
    for (size_t e = 0; e < diagram.edges.size(); ++e)
        diagram.edges[e].path = layout.paths[e];
}

BesideDot besideDot(const Diagram& diagram) {
    static LayoutWorker worker(LayoutWorker::besideThisProgram());
    Diagram ours = diagram, dot = diagram;
    place(
        ours, [](const Level& level) { return worker.layOut(level, std::chrono::seconds(60)); }, false);
    placeByPlainDot(dot);
    return {figuresOf(ours), figuresOf(dot)};
}

} // namespace fx
