// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rewrite/excerpt.h"

#include "core/base/error.h"
#include "core/rewrite/replacement_attributes.h"

#include <algorithm>
#include <unordered_set>

namespace fx {

namespace {

bool namesAttribute(const Node& node) {
    return node.opcode == Opcode::GetAttr || node.opcode == Opcode::CallModule;
}

bool isCopied(const Node& node) {
    return node.opcode != Opcode::Placeholder && node.opcode != Opcode::Output;
}

std::vector<std::string> pathsOf(const Graph& graph) {
    std::vector<std::string> out;
    for (const Node& node : graph)
        if (namesAttribute(node))
            out.push_back(node.target.name());
    return out;
}

/// Whether what is known of the values that come in is the same here as it was there.
bool readsTheSame(const Graph& here, const Graph& there, const NodeMap& inputs) {
    const auto text = [](const Node& node) {
        const ValueMeta* value = knownValue(node.meta);
        return value ? valueMetaText(*value) : std::string();
    };
    return std::all_of(inputs.begin(), inputs.end(), [&](const auto& each) {
        return text(there.node(each.first)) == text(here.node(each.second));
    });
}

NodeId copyAs(Edit& edit, const Node& node, const AttributePaths& paths, const NodeMap& map) {
    Node source = node;
    if (namesAttribute(node))
        if (const auto moved = paths.find(node.target.name()); moved != paths.end())
            source.target = Target(moved->second);
    return edit.nodeCopy(source, [&](NodeId input) { return Argument(map.at(input)); });
}

} // namespace

Excerpt excerptOf(const Model& source, ModuleId module, std::vector<NodeId> nodes) {
    const Graph& graph = source.graph(module);
    std::erase_if(nodes, [&](NodeId node) { return !isCopied(graph.node(node)); });
    if (nodes.empty())
        throw Error("", "inputs and the output of a graph are there once").hint("select calls between them");
    std::ranges::sort(nodes, [&](NodeId a, NodeId b) { return graph.precedes(a, b); });
    const std::unordered_set<NodeId> chosen(nodes.begin(), nodes.end());
    Excerpt out;
    Edit edit(out.model);
    NodeMap map;
    const auto take = [&](const Node& outer) {
        if (outer.opcode == Opcode::GetAttr)
            return edit.nodeCopy(outer, [](NodeId input) { return Argument(input); });
        const NodeId input = edit.placeholder(outer.name);
        if (const ValueMeta* value = knownValue(outer.meta))
            edit.setMeta(input, meta::kTensorMeta, *value);
        return input;
    };
    // Inputs come first in a graph.
    for (const bool isOfAttributes : {false, true})
        for (const NodeId node : nodes)
            for (const InputUse& use : graph.node(node).inputs) {
                const Node& outer = graph.node(use.node);
                if (chosen.contains(use.node) || map.find(use.node) != map.end() ||
                    (outer.opcode == Opcode::GetAttr) != isOfAttributes)
                    continue;
                map[use.node] = take(outer);
                out.outside[map[use.node]] = use.node;
            }
    Arguments results;
    for (const NodeId id : nodes) {
        const Node& node = graph.node(id);
        map[id] = edit.nodeCopy(node, [&](NodeId input) { return Argument(map.at(input)); });
        const auto isInside = [&](NodeId user) { return chosen.contains(user); };
        if (std::ranges::none_of(node.users.toVector(), isInside))
            results.push_back(map[id]);
    }
    edit.output(TupleValue{std::move(results)});
    copyAttributes(edit, source, module, pathsOf(edit.graph()));
    edit.finish();
    return out;
}

Model modelOf(const Model& source, ModuleId module) {
    const Module& from = source.module(module);
    Model out(from.type);
    Edit edit(out);
    std::vector<std::string> names;
    for (const NamedModule& child : from.children)
        names.push_back(child.name);
    for (const NamedValue& value : from.values)
        names.push_back(value.name);
    for (const NamedTensor& entry : from.tensors)
        if (entry.tensor)
            names.push_back(entry.name);
        else
            edit.setTensor(entry.name, {}, entry.role);
    copyAttributes(edit, source, module, std::move(names));
    edit.setTraining(from.isTraining);
    NodeMap map;
    if (const std::optional<Argument> result = edit.graphCopy(*from.graph, map))
        edit.output(*result);
    edit.setSignature(from.graph->signature());
    edit.finish();
    out.setSources(source.sources());
    return out;
}

std::vector<NodeId> putIn(Edit& edit, const Model& excerpt, const PutIn& how) {
    const ModuleId module = edit.module();
    std::vector<std::string> paths = pathsOf(excerpt.graph());
    if (how.isSameGraph)
        std::erase_if(paths,
                      [&](const std::string& path) { return bool(edit.model().resolve(module, path)); });
    const AttributePaths moved = copyAttributes(edit, excerpt, excerpt.root(), paths);
    const Graph& graph = edit.graph();
    NodeId last = how.after;
    NodeMap map = how.inputs;
    for (const auto& [input, here] : how.inputs)
        if (!last || graph.precedes(last, here))
            last = here;
    if (!last || graph.node(last).opcode == Opcode::Output)
        last = graph.outputNode() ? graph.node(graph.outputNode()).previous : graph.last();
    const bool isAlike = readsTheSame(graph, excerpt.graph(), how.inputs);
    std::vector<NodeId> fresh;
    for (const Node& node : excerpt.graph()) {
        if (!isCopied(node) || map.find(node.id) != map.end())
            continue;
        const auto point = edit.insertingAfter(last);
        last = copyAs(edit, node, moved, map);
        map[node.id] = last;
        fresh.push_back(last);
        if (!isAlike && node.opcode != Opcode::GetAttr)
            for (const std::string_view key : {meta::kValue, meta::kTensorMeta})
                edit.setMeta(last, key, {});
        if (!how.isSameGraph && how.after)
            edit.setMeta(last, meta::kModuleStack, edit.node(how.after).meta.shared(meta::kModuleStack));
    }
    return fresh;
}

} // namespace fx
