// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/dialect.h"

#include <algorithm>

namespace fx {

GraphDialect dialectOf(const Graph& graph) {
    bool hasOperators = false;
    for (const Node& node : graph) {
        const std::string& name = node.target.name();
        if (node.opcode == Opcode::CallModule || node.opcode == Opcode::CallMethod)
            return {Dialect::ModuleLevel, false};
        if (node.opcode != Opcode::CallFunction)
            continue;
        // Indexing and arithmetic on sizes are in both.
        if (name.starts_with("torch.ops."))
            hasOperators = true;
        else if (name.starts_with("torch.") && !name.starts_with("torch.sym_"))
            return {Dialect::ModuleLevel, false};
    }
    return {Dialect::Aten, !hasOperators};
}

bool isOfOperators(const Graph& graph) {
    const GraphDialect found = dialectOf(graph);
    return found.dialect == Dialect::Aten && !found.isEither;
}

bool callsOperators(const Graph& graph) {
    return std::any_of(graph.begin(), graph.end(), [](const Node& node) {
        return node.opcode == Opcode::CallFunction && node.target.isOperatorOverload();
    });
}

} // namespace fx
