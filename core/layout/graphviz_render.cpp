// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/graphviz_render.h"

#include "core/base/error.h"

#include <graphviz/gvc.h>

namespace fx {

std::string renderedByGraphviz(const std::string& dot, const std::string& format) {
    agseterr(AGMAX); // what is wrong is said once, below
    GVC_t* context = gvContext();
    Agraph_t* graph = agmemread(const_cast<char*>(dot.c_str()));
    if (!graph)
        throw Error(format, "the picture could not be described to Graphviz");
    char* picture = nullptr;
    unsigned size = 0;
    // nop2 keeps the positions of boxes and the routes of edges.
    const bool isDrawn = gvLayout(context, graph, "nop2") == 0 &&
                         gvRenderData(context, graph, format.c_str(), &picture, &size) == 0;
    std::string out(picture ? picture : "", picture ? size : 0);
    gvFreeRenderData(picture);
    gvFreeLayout(context, graph);
    agclose(graph);
    gvFreeContext(context);
    if (!isDrawn || out.empty())
        throw Error(format, "the picture could not be drawn by Graphviz");
    return out;
}

} // namespace fx
