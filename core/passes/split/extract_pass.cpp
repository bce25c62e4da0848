// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/split/extract_pass.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/passes/clean/state_reads.h"
#include "core/passes/pass_options.h"
#include "core/passes/split/moved_effects.h"
#include "core/passes/split/part_writer.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace fx {

namespace {

/// In the order of the graph. Weights are none of them: the part reads its own.
std::vector<NodeId> chosenCalls(const Graph& graph, const std::vector<NodeId>& chosen) {
    std::vector<NodeId> out;
    for (const NodeId id : chosen) {
        const Node& node = graph.node(id);
        if (isCallNode(node))
            out.push_back(id);
        else if (node.opcode != Opcode::GetAttr)
            throw Error("node '" + node.name + "'", std::string("is an ") +
                                                        (node.opcode == Opcode::Output ? "output" : "input") +
                                                        " of the graph, and cannot be in a submodule");
    }
    if (out.empty())
        throw Error("", "there is no call among the nodes")
            .hint("choose the calls that are to go into the submodule");
    std::ranges::sort(out, [&](NodeId a, NodeId b) { return graph.precedes(a, b); });
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

/// Of what changes modes between the calls.
void requireWholeRegions(const Graph& graph, const Part& part) {
    for (NodeId id = part.nodes.front(); id; id = graph.node(id).next) {
        if (changesModes(graph.node(id)))
            requireWholeRegion(graph, graph.node(id), {part});
        if (id == part.nodes.back())
            return;
    }
}

/// Nodes outside that a value of the part reaches before its last call, with what they read of it. Throws an
/// Error where the part reads one of them.
std::unordered_map<NodeId, NodeId> dependentsOutside(const Graph& graph, const std::vector<NodeId>& calls) {
    const std::unordered_set<NodeId> part(calls.begin(), calls.end());
    std::unordered_map<NodeId, NodeId> out;
    for (NodeId id = calls.front(); id != calls.back(); id = graph.node(id).next)
        for (const InputUse& use : graph.node(id).inputs)
            if (!part.contains(id) && part.contains(use.node))
                out.emplace(id, use.node);
            else if (const auto known = out.find(use.node); known != out.end() && !part.contains(id))
                out.emplace(id, known->second);
    for (const NodeId id : calls)
        for (const InputUse& use : graph.node(id).inputs)
            if (const auto known = out.find(use.node); known != out.end())
                throw Error("node '" + graph.node(id).name + "'",
                            "reads '" + graph.node(use.node).name + "', which is outside and depends on '" +
                                graph.node(known->second).name + "' inside")
                    .hint("choose '" + graph.node(use.node).name + "', too");
    return out;
}

/// The part runs in the place of its last call, and who depends on it after that.
void requireNoMovedEffects(const Edit& edit, const std::vector<NodeId>& calls,
                           const std::unordered_map<NodeId, NodeId>& dependents) {
    const Graph& graph = edit.graph();
    std::vector<NodeId> order, later;
    for (const Node& node : graph) {
        if (node.id == calls.back()) {
            order.insert(order.end(), calls.begin(), calls.end());
            order.insert(order.end(), later.begin(), later.end());
        } else if (dependents.contains(node.id)) {
            later.push_back(node.id);
        } else if (std::ranges::find(calls, node.id) == calls.end()) {
            order.push_back(node.id);
        }
    }
    const std::vector<std::string> moved = movedEffects(edit.model(), edit.module(), order);
    if (!moved.empty())
        throw Error("node '" + moved.front() + "'", "writes into memory, reads what is written or draws "
                                                    "random numbers, and would come at another time");
}

std::string namesText(const Graph& graph, const std::vector<NodeId>& nodes) {
    std::vector<std::string> out;
    for (const NodeId node : nodes) {
        const ValueMeta* value = knownValue(graph.node(node).meta);
        out.push_back(graph.node(node).name + (value ? ' ' + valueMetaText(*value) : ""));
    }
    return out.empty() ? "nothing" : join(out, ", ");
}

} // namespace

void runExtract(Edit& edit, const PassOptions& options, PassContext& context) {
    const Graph& graph = edit.graph();
    Part part;
    part.nodes = chosenCalls(graph, options.nodes("nodes", graph));
    requireWholeRegions(graph, part);
    requireNoMovedEffects(edit, part.nodes, dependentsOutside(graph, part.nodes));
    const std::string& name = options.text("name");
    if (!isIdentifier(name))
        throw Error("--name", "'" + name + "' is no name of a submodule");
    part.name = freePath(edit.model(), edit.module(), name);
    if (part.name != name && options.isGiven("name"))
        throw Error("--name", "there is '" + name + "' already");
    findBorders(graph, part);
    std::vector<NodeId> given, own;
    for (const NodeId input : part.inputs)
        (graph.node(input).opcode == Opcode::GetAttr ? own : given).push_back(input);
    context.results.push_back(part.name + ": " + plural(part.nodes.size(), "call") + "; takes " +
                              namesText(graph, given) + "; gives " + namesText(graph, part.outputs) +
                              (own.empty() ? "" : "; has " + namesText(graph, own)));
    extractPart(edit, part);
}

std::vector<PassOption> extractOptions() {
    using enum OptionType;
    return {{.name = "nodes",
             .type = Nodes,
             .help = "the calls; weights that they alone read go along",
             .isRequired = true},
            {.name = "name", .type = String, .help = "of the submodule", .byDefault = "extracted"}};
}

} // namespace fx
