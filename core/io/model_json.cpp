// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/model_json.h"

#include "core/io/argument_json.h"
#include "core/io/fxg/fxg_members.h"
#include "core/io/fxg/fxg_quantizers.h"

#include <ATen/core/Tensor.h>

#include <map>
#include <set>

namespace fx {

namespace {

using namespace fxg;

class ModelWriter {
public:
    ModelWriter(const OpenedModel& opened, Progress& progress)
        : m_opened(opened), m_model(opened.model), m_progress(progress) {}

    Json write() {
        moduleIndex(m_model.root());
        Json modules = Json::array();
        for (size_t i = 0; i < m_modules.size(); ++i) // grows while it is walked
            modules.push_back(moduleJson(m_model.module(m_modules[i])));
        Json tensors = Json::array(), quantizers = Json::object();
        for (TensorId id : m_tensors) {
            const TensorSlot& slot = m_model.tensor(id);
            if (c10::isQIntType(slot.meta().dtype))
                quantizers[std::to_string(tensors.size())] = quantizerJson(slot.value());
            tensors.push_back(toJson(ValueMeta{slot.meta()}));
        }
        Json out = {{"format", "fxscope"},           {"version", fxg::kVersion},
                    {"origin", m_opened.format},     {"writer", m_opened.writer},
                    {"notes", m_opened.notes},       {"symbols", symbolsJson(m_opened.symbols)},
                    {"modules", std::move(modules)}, {"tensors", std::move(tensors)}};
        if (!quantizers.empty())
            out["quantizers"] = std::move(quantizers);
        if (!m_opened.exportRecord.empty())
            out["export_record"] = m_opened.exportRecord;
        return out;
    }

    std::vector<TensorId> takeTensors() { return std::move(m_tensors); }

private:
    size_t moduleIndex(ModuleId id) {
        const auto [entry, isNew] = m_moduleIndex.try_emplace(id, m_modules.size());
        if (isNew)
            m_modules.push_back(id);
        return entry->second;
    }

    Json tensorIndex(TensorId id) {
        if (!id)
            return {};
        // One tensor may stand behind two ids; it is written once.
        const auto [entry, isNew] = m_tensorIndex.try_emplace(id, m_tensors.size());
        if (isNew)
            m_tensors.push_back(id);
        return entry->second;
    }

    Json moduleJson(const Module& module) {
        const auto nobody = [](NodeId) { return int64_t(-1); };
        Json children = Json::array(), tensors = Json::array(), values = Json::array();
        for (const NamedModule& child : module.children)
            children.push_back(Json::array({child.name, moduleIndex(child.module)}));
        for (const NamedTensor& entry : module.tensors)
            tensors.push_back(Json::array({entry.name, tensorIndex(entry.tensor),
                                           std::string(kRoles[static_cast<size_t>(entry.role)])}));
        for (const NamedValue& entry : module.values)
            values.push_back(Json::array({entry.name, toJson(entry.value, nobody)}));
        Json out = {{"type", module.type},
                    {"training", module.isTraining},
                    {"children", std::move(children)},
                    {"tensors", std::move(tensors)},
                    {"values", std::move(values)}};
        if (module.graph)
            out["graph"] = graphJson(*module.graph);
        return out;
    }

    Json graphJson(const Graph& graph) {
        std::map<NodeId, int64_t> index;
        for (const Node& node : graph)
            index.emplace(node.id, static_cast<int64_t>(index.size()));
        const auto indexOf = [&](NodeId id) { return index.contains(id) ? index.at(id) : int64_t(-1); };
        Json nodes = Json::array();
        for (const Node& node : graph) {
            m_progress.step(0.1, "graph");
            Json args = Json::array(), kwargs = Json::array(), meta = Json::object();
            for (const Argument& argument : node.args)
                args.push_back(toJson(argument, indexOf));
            for (const auto& [key, argument] : node.kwargs)
                kwargs.push_back(Json::array({key, toJson(argument, indexOf)}));
            for (const auto& [key, value] : node.meta.entries())
                meta[key] = toJson(value, indexOf);
            Json out = {{"op", std::string(opcodeName(node.opcode))},
                        {"name", node.name},
                        {"target", node.target.name()},
                        {"args", std::move(args)},
                        {"kwargs", std::move(kwargs)}};
            if (node.type)
                out["type"] = *node.type;
            out["meta"] = std::move(meta);
            nodes.push_back(std::move(out));
        }
        Json out = {{"nodes", std::move(nodes)}};
        if (const std::vector<NodeId> order = readingOrder(graph); !order.empty())
            for (NodeId id : order)
                out["reading_order"].push_back(indexOf(id));
        if (graph.signature())
            out["signature"] = toJson(*graph.signature());
        return out;
    }

    /// The users of a node are ordered by when they began to read it. An order of all nodes in which they
    /// begin anew gives all those orders again; empty where that is the order of the graph.
    static std::vector<NodeId> readingOrder(const Graph& graph) {
        std::map<NodeId, std::set<NodeId>> earlier; // which nodes began before this one
        bool isUsual = true;
        for (const Node& node : graph) {
            NodeId previous;
            for (NodeId user : node.users) {
                if (previous) {
                    earlier[user].insert(previous);
                    isUsual &= graph.precedes(previous, user);
                }
                previous = user;
            }
        }
        if (isUsual)
            return {};
        std::vector<NodeId> order;
        std::map<NodeId, int> state; // 1: waiting for others, 2: done
        std::vector<NodeId> stack;
        for (const Node& node : graph) {
            stack.push_back(node.id);
            while (!stack.empty()) {
                const NodeId id = stack.back();
                if (state[id] == 0) {
                    state[id] = 1;
                    for (NodeId other : earlier[id])
                        if (state[other] == 0)
                            stack.push_back(other);
                    continue;
                }
                stack.pop_back();
                if (state[id] == 1)
                    order.push_back(id);
                state[id] = 2;
            }
        }
        return order;
    }

    const OpenedModel& m_opened;
    const Model& m_model;
    Progress& m_progress;
    std::vector<ModuleId> m_modules;
    std::map<ModuleId, size_t> m_moduleIndex;
    std::vector<TensorId> m_tensors;
    std::map<TensorId, size_t> m_tensorIndex;
};

} // namespace

Json symbolsJson(const std::map<std::string, SymbolRange>& symbols) {
    Json out = Json::object();
    for (const auto& [name, range] : symbols)
        out[name] =
            Json::array({range.least ? Json(*range.least) : Json(), range.most ? Json(*range.most) : Json()});
    return out;
}

ModelJson modelJson(const OpenedModel& opened, Progress& progress) {
    ModelWriter writer(opened, progress);
    ModelJson out{writer.write(), {}};
    out.tensors = writer.takeTensors();
    return out;
}

Json sourcesJson(const Model& model) {
    Json rows = Json::array();
    for (const SourceText& source : model.sources())
        rows.push_back({{"module", source.module},
                        {"path", source.path},
                        {"package", source.isPackage},
                        {"text", source.text}});
    return rows;
}

} // namespace fx
