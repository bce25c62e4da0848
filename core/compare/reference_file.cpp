// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/reference_file.h"

#include "core/base/error.h"
#include "core/compare/run_results.h"
#include "core/interpret/structure.h"
#include "core/io/torch/torch_archive.h"

#include <algorithm>

namespace fx {

namespace {

using Entries = std::vector<std::pair<Value, Value>>;

/// Whether a .pt holds it: data, and containers of data.
bool isPlain(const Value& value) {
    return std::ranges::all_of(flattened(value), [](const Value& leaf) {
        return leaf.isTensor() || leaf.isNone() || leaf.isBool() || leaf.isInt() || leaf.isDouble() ||
               leaf.isString();
    });
}

class NodeValues : public Observer {
public:
    void afterNode(const Interpreter& interpreter, const Node& node, const Value& value) override {
        if (interpreter.parent() || node.opcode == Opcode::Output || node.opcode == Opcode::GetAttr)
            return;
        Entries& into = node.opcode == Opcode::Placeholder ? inputs : nodes;
        if (isPlain(value))
            into.emplace_back(makeText(node.name), withOwnTensors(value));
        else
            left.push_back(node.name);
    }
    Entries inputs, nodes;
    std::vector<std::string> left;
};

const DictObject* dictOf(const DictObject& all, const char* key, const std::string& path) {
    const Value* found = all.find(TextKey(key));
    if (!found)
        return nullptr;
    const auto* dict = found->as<DictObject>();
    if (!dict)
        throw Error(path, std::string("its '") + key + "' is no dict");
    return dict;
}

/// By position as far as all are there, then by name.
GraphInputs inputsFrom(const DictObject& given, const Graph& graph) {
    GraphInputs out;
    bool isByPosition = true;
    for (const NodeId id : graph.findNodes(Opcode::Placeholder)) {
        const Node& node = graph.node(id);
        const Value* value = given.find(TextKey(node.name));
        const int stars = starsOf(node.target.name());
        if (stars == 1 && value && isByPosition) {
            for (const Value& item : itemsOf(*value).value_or(Values{}))
                out.values.push_back(item);
        } else if (stars == 2 && value) {
            if (const auto* others = value->as<DictObject>())
                for (const DictObject::Entry& entry : others->entries())
                    if (entry.key.isString())
                        out.keywords.emplace_back(entry.key.text(), entry.value);
        } else if (value && isByPosition) {
            out.values.push_back(*value);
        } else if (value) {
            out.keywords.emplace_back(node.target.name(), *value);
        } else {
            isByPosition = false;
        }
    }
    return out;
}

} // namespace

std::vector<std::string> saveReference(const Model& model, const GraphInputs& inputs,
                                       const RunSettings& settings, const std::string& path,
                                       Progress& progress) {
    progress.step(0, "Run the reference");
    NodeValues values;
    Entries results;
    for (auto& [name, value] : resultsOfRun(model, inputs, settings, {&values}))
        if (isPlain(value))
            results.emplace_back(makeText(name), withOwnTensors(value));
        else
            values.left.push_back(name);
    Entries all;
    all.emplace_back(makeText("inputs"), makeDict(std::move(values.inputs)));
    all.emplace_back(makeText("nodes"), makeDict(std::move(values.nodes)));
    all.emplace_back(makeText("results"), makeDict(std::move(results)));
    writeTorchFile(path, makeDict(std::move(all)));
    return values.left;
}

const Value* ReferenceFile::find(NodeId node) const {
    for (const auto* values : {&run.values, &given})
        if (const auto found = values->find(node); found != values->end())
            return &found->second;
    return nullptr;
}

std::optional<Value> valueInReference(const Value& file, const std::string& name) {
    const auto* all = file.as<DictObject>();
    if (!all)
        return std::nullopt;
    for (const char* part : {"nodes", "inputs"})
        if (const Value* found = all->find(TextKey(part)))
            if (const auto* values = found->as<DictObject>())
                if (const Value* value = values->find(TextKey(name)))
                    return *value;
    const Value* own = all->find(TextKey(name));
    return own ? std::optional(*own) : std::nullopt;
}

ReferenceFile readReference(const std::string& path, const Model& model) {
    const Value read = readTorchFile(path);
    const auto* all = read.as<DictObject>();
    if (!all)
        throw Error(path, "is no reference run").hint("fxscope run MODEL --save-reference FILE writes one");
    const Graph& graph = model.graph();
    ReferenceFile out;
    const DictObject* inputs = dictOf(*all, "inputs", path);
    const DictObject* nodes = dictOf(*all, "nodes", path);
    const DictObject* results = dictOf(*all, "results", path);
    if (inputs) {
        out.inputs = inputsFrom(*inputs, graph);
        for (const NodeId id : graph.findNodes(Opcode::Placeholder))
            if (const Value* value = inputs->find(TextKey(graph.node(id).name)))
                out.given.emplace(id, *value);
    }
    const DictObject& named = nodes ? *nodes : inputs || results ? DictObject() : *all;
    for (const DictObject::Entry& entry : named.entries()) {
        const NodeId node = entry.key.isString() ? graph.find(entry.key.text()) : NodeId();
        if (!node) {
            out.unknown.push_back(entry.key.isString() ? entry.key.text() : "(no name)");
            continue;
        }
        out.run.match.pairs.push_back({NodeId(), node, MatchKind::Name});
        out.run.values[node] = entry.value;
    }
    std::ranges::sort(out.run.match.pairs,
                      [&](const NodePair& a, const NodePair& b) { return graph.precedes(a.b, b.b); });
    for (const Node& node : graph)
        if (!out.run.values.contains(node.id) && node.opcode != Opcode::Placeholder &&
            node.opcode != Opcode::GetAttr && node.opcode != Opcode::Output)
            out.run.match.onlyB.push_back(node.id);
    if (results)
        for (const DictObject::Entry& entry : results->entries())
            if (entry.key.isString())
                out.run.results.emplace_back(entry.key.text(), entry.value);
    return out;
}

} // namespace fx
