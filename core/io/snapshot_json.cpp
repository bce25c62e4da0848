// SPDX-License-Identifier: GPL-3.0-or-later
// Modules and graphs with all that ever was in them. Changes are in change_json.cpp.
#include "core/io/change_json.h"
#include "core/io/id_json.h"
#include "core/io/model_json.h"
#include "core/ir/graph_content.h"

namespace fx {

namespace idjson {

namespace {

Json namesJson(const NameTable& names) {
    const NameTableContent content = names.content();
    Json families = Json::array();
    for (const NameFamily& family : content.families)
        families.push_back(Json::array({family.base, family.count ? Json(*family.count) : Json(),
                                        family.isPlainTaken, family.takenNumbers}));
    return {{"families", std::move(families)}, {"with_zeros", content.takenWithZeros}};
}

NameTable namesFrom(const JsonDocument& json, const Json& value) {
    NameTableContent content;
    for (const Json& row : json.array(json.member(value, "families"))) {
        parts(json, row, 4);
        NameFamily& family = content.families.emplace_back();
        family.base = json.string(row[0]);
        if (!row[1].is_null())
            family.count = json.integer(row[1]);
        family.isPlainTaken = json.boolean(row[2]);
        for (const Json& run : json.array(row[3])) {
            parts(json, run, 2);
            family.takenNumbers.emplace_back(json.integer(run[0]), json.integer(run[1]));
        }
    }
    for (const Json& name : json.array(json.member(value, "with_zeros")))
        content.takenWithZeros.push_back(json.string(name));
    return NameTable(content);
}

Json nodeJson(const Node& node) {
    Json out = {{"op", std::string(opcodeName(node.opcode))},
                {"name", node.name},
                {"target", node.target.name()},
                {"arguments", argumentsJson({node.args, node.kwargs, node.inputs})},
                {"next_use", node.users.nextSequence()}};
    if (!node.meta.entries().empty())
        out["meta"] = metaJson(node.meta);
    if (node.type)
        out["type"] = *node.type;
    return out;
}

Json graphJson(const Graph& graph) {
    Json nodes = Json::array(), order = Json::array();
    for (int32_t i = 0; i < graph.nextId().value; ++i)
        nodes.push_back(nodeJson(graph.node(NodeId{i})));
    for (const Node& node : graph)
        order.push_back(idJson(node.id));
    Json out = {
        {"nodes", std::move(nodes)}, {"order", std::move(order)}, {"names", namesJson(graph.names())}};
    if (graph.signature())
        out["signature"] = toJson(*graph.signature());
    return out;
}

Graph graphFrom(const JsonDocument& json, const Json& value) {
    GraphContent content;
    for (const Json& row : json.array(json.member(value, "nodes"))) {
        Node& node = content.nodes.emplace_back();
        node.opcode = opcodeFrom(json, json.member(row, "op"));
        node.name = json.string(json.member(row, "name"));
        node.target = json.string(json.member(row, "target"));
        CallArguments arguments = argumentsFrom(json, json.member(row, "arguments"));
        node.args = std::move(arguments.args);
        node.kwargs = std::move(arguments.kwargs);
        node.inputs = std::move(arguments.inputs);
        if (const Json* meta = json.find(row, "meta"))
            node.meta = metaEntriesFrom(json, *meta);
        if (const Json* type = json.find(row, "type"))
            node.type = json.string(*type);
        const int64_t nextUse = json.integer(json.member(row, "next_use"));
        if (nextUse < 0 || nextUse > std::numeric_limits<int32_t>::max())
            json.fail(row, "has had no such number of users");
        content.nextUses.push_back(static_cast<uint32_t>(nextUse));
    }
    for (const Json& id : json.array(json.member(value, "order")))
        content.order.push_back(idFrom<NodeId>(json, id));
    content.names = namesFrom(json, json.member(value, "names"));
    if (const Json* signature = json.find(value, "signature"))
        content.signature = signatureFromJson(json, *signature);
    return graphOf(std::move(content));
}

template <class Entry>
Json entriesJson(const std::vector<Entry>& entries) {
    Json out = Json::array();
    for (const Entry& entry : entries)
        out.push_back(entryJson(entry));
    return out;
}

template <class Entry>
std::vector<Entry> entriesFrom(const JsonDocument& json, const Json& list) {
    std::vector<Entry> out;
    for (const Json& entry : json.array(list))
        out.push_back(entryFrom<Entry>(json, entry));
    return out;
}

} // namespace

Json moduleJson(const Module& module) {
    Json out = {{"type", module.type},
                {"training", module.isTraining},
                {"children", entriesJson(module.children)},
                {"tensors", entriesJson(module.tensors)},
                {"values", entriesJson(module.values)}};
    if (module.graph)
        out["graph"] = graphJson(*module.graph);
    return out;
}

Module moduleFrom(const JsonDocument& json, const Json& value) {
    Module module;
    module.type = json.string(json.member(value, "type"));
    module.isTraining = json.boolean(json.member(value, "training"));
    module.children = entriesFrom<NamedModule>(json, json.member(value, "children"));
    module.tensors = entriesFrom<NamedTensor>(json, json.member(value, "tensors"));
    module.values = entriesFrom<NamedValue>(json, json.member(value, "values"));
    if (const Json* graph = json.find(value, "graph"))
        module.graph = graphFrom(json, *graph);
    return module;
}

} // namespace idjson

Json snapshotJson(const Model& model) {
    Json modules = Json::array();
    for (size_t i = 0; i < model.moduleCount(); ++i)
        modules.push_back(idjson::moduleJson(model.module(ModuleId{static_cast<int32_t>(i)})));
    return {
        {"modules", std::move(modules)}, {"tensors", model.tensorCount()}, {"sources", sourcesJson(model)}};
}

Model modelFromSnapshot(const JsonDocument& json, const Json& snapshot, std::vector<TensorSlot> tensors) {
    const Json& count = json.member(snapshot, "tensors");
    if (json.integer(count) != static_cast<int64_t>(tensors.size()))
        json.fail(count, "is not how many tensors there are");
    std::vector<Module> modules;
    for (const Json& module : json.array(json.member(snapshot, "modules")))
        modules.push_back(idjson::moduleFrom(json, module));
    Model model = modelOf(std::move(modules), std::move(tensors));
    model.setSources(sourcesFromJson(json, json.member(snapshot, "sources")));
    return model;
}

} // namespace fx
