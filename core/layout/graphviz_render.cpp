// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/graphviz_render.h"

#include "core/base/error.h"

#include <graphviz/gvc.h>

#include <cstdio>
#include <unistd.h>

namespace fx {

void renderWithGraphviz(const std::string& dot, const std::string& format, const std::string& path) {
    agseterr(AGMAX); // what is wrong is said once, below
    GVC_t* context = gvContext();
    Agraph_t* graph = agmemread(const_cast<char*>(dot.c_str()));
    if (!graph)
        throw Error(path, "the picture could not be described to Graphviz");
    const std::string temporary = path + ".part" + std::to_string(::getpid());
    // nop2 keeps the positions of boxes and the routes of edges.
    const bool isDrawn = gvLayout(context, graph, "nop2") == 0 &&
                         gvRenderFilename(context, graph, format.c_str(), temporary.c_str()) == 0;
    gvFreeLayout(context, graph);
    agclose(graph);
    gvFreeContext(context);
    if (!isDrawn || std::rename(temporary.c_str(), path.c_str()) != 0) {
        std::remove(temporary.c_str());
        throw Error(path, "cannot be drawn").hint("is the folder there, and may you write to it?");
    }
}

} // namespace fx
