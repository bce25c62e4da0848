// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/reordering.h"

#include "core/base/error.h"
#include "core/interpret/call_effects.h"

#include <algorithm>
#include <set>

namespace fx {

namespace {

/// All that the node depends on, itself too, from `first` on.
std::set<NodeId> neededFrom(const Graph& graph, NodeId first, NodeId node) {
    std::set<NodeId> out;
    std::vector<NodeId> open{node};
    while (!open.empty()) {
        const NodeId at = open.back();
        open.pop_back();
        if (graph.precedes(at, first) || !out.insert(at).second)
            continue;
        for (const InputUse& use : graph.node(at).inputs)
            open.push_back(use.node);
    }
    return out;
}

} // namespace

Reordering reorderingFor(const Model& model, ModuleId module, NodeId reader, NodeId producer) {
    const Graph& graph = model.graph(module);
    const auto name = [&](NodeId node) { return graph.node(node).name; };
    if (graph.node(producer).opcode == Opcode::Output)
        return {{}, "the output has no value to read"};
    if (producer == reader)
        return {{}, name(reader) + " cannot read itself"};
    if (graph.precedes(producer, reader))
        return {};
    const std::set<NodeId> needed = neededFrom(graph, reader, producer);
    if (needed.contains(reader))
        return {{}, name(producer) + " depends on " + name(reader)};
    Reordering out;
    EffectsFinder effects(model);
    for (NodeId at = reader;; at = graph.node(at).next) {
        if (effects.of(module, graph.node(at)).any())
            return {{},
                    name(producer) + " comes after " + name(reader) +
                        ", and cannot be computed earlier: " + name(at) + " writes into what others read"};
        if (needed.contains(at))
            out.moved.push_back(at);
        if (at == producer)
            return out;
    }
}

void letPrecede(Edit& edit, NodeId producer, NodeId reader) {
    const Reordering found = reorderingFor(edit.model(), edit.module(), reader, producer);
    if (!found.fault.empty())
        throw Error("", found.fault);
    for (const NodeId node : found.moved)
        edit.moveBefore(node, reader);
}

} // namespace fx
