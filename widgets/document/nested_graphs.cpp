// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/nested_graphs.h"

namespace fx::ui {

std::vector<std::pair<std::string, ModuleId>> nestedGraphs(const Model& model, NodeRef ref) {
    std::vector<std::pair<std::string, ModuleId>> out;
    const Graph& graph = model.graph(ref.module);
    const auto add = [&](const Node& node) {
        const ModuleId module = model.resolve(ref.module, node.target.name()).module;
        if (module && model.module(module).graph)
            out.emplace_back(node.target.name(), module);
    };
    const Node& node = graph.node(ref.node);
    if (node.opcode == Opcode::GetAttr || node.opcode == Opcode::CallModule)
        add(node);
    for (const InputUse& use : node.inputs)
        if (graph.node(use.node).opcode == Opcode::GetAttr)
            add(graph.node(use.node));
    return out;
}

} // namespace fx::ui
