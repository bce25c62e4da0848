// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of a node that failed.
#include "core/base/text.h"
#include "core/interpret/interpreter.h"
#include "core/ir/graph_text.h"

namespace fx {

std::string interpreterErrorText(const Graph& graph, NodeId id, const std::string& message) {
    const auto* trace = graph.node(id).meta.find<std::string>(meta::kStackTrace);
    return message + "\n\nWhile executing " + formatNode(graph, id) + "\nOriginal traceback:\n" +
           (trace ? *trace : "None");
}

std::string nodePlace(const Graph& graph, NodeId id) {
    const Node& node = graph.node(id);
    std::string out = "node '" + node.name + '\'';
    std::vector<std::string> where;
    if (const auto* stack = node.meta.find<ModuleStack>(meta::kModuleStack); stack && !stack->empty())
        if (const std::string& path = stack->back().path; !path.empty() && !path.starts_with('_'))
            where.push_back(path);
    if (const auto* trace = node.meta.find<std::string>(meta::kStackTrace)) {
        // The innermost frame is the last line that begins with File.
        const size_t file = trace->rfind("File \"");
        const size_t quote = file == std::string::npos ? file : trace->find('"', file + 6);
        const size_t line = quote == std::string::npos ? quote : trace->find("line ", quote);
        if (line != std::string::npos)
            where.push_back(trace->substr(file + 6, quote - file - 6) + ':' +
                            std::to_string(std::atoi(trace->c_str() + line + 5)));
    }
    return where.empty() ? out : out + " (" + join(where, ", ") + ')';
}

} // namespace fx
