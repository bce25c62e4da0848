// SPDX-License-Identifier: GPL-3.0-or-later
// Writes .fxg. Modules and tensors are tables with indices, so that what is shared stays shared.
#include "core/base/error.h"
#include "core/codegen/python_code.h"
#include "core/io/argument_json.h"
#include "core/io/fxg.h"
#include "core/io/fxg_members.h"
#include "core/io/fxg_quantizers.h"
#include "core/io/fxg_sources.h"
#include "core/io/tensor_bytes.h"
#include "core/io/tensor_files.h"
#include "core/io/torch_archive.h"
#include "core/ir/dtype.h"
#include "core/python/value.h"

#include <map>
#include <set>

namespace fx {

namespace {

using namespace fxg;

class Writer {
public:
    Writer(const OpenedModel& opened, Progress& progress)
        : m_opened(opened), m_model(opened.model), m_progress(progress) {}

    void write(const std::string& path) {
        m_progress.step(0, "writing " + path);
        ZipWriter zip(path);
        const Json model = modelJson();
        zip.add(kModel, model.dump());
        std::string python;
        m_model.forEachModule(m_model.root(), [&](ModuleId id, const std::string& modulePath) {
            if (m_model.module(id).graph)
                python += "# " + (modulePath.empty() ? "the model" : modulePath) +
                          PythonCode(m_model, id).text() + "\n\n";
        });
        zip.add("fxscope/code.py", python);
        writeSources(zip, m_model);
        if (!m_opened.layoutState.empty())
            zip.add(kLayout, m_opened.layoutState);
        writeTensors(zip);
        writeExamples(zip, path + ".examples");
        zip.finish();
        m_progress.step(1, "done");
    }

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

    Json modelJson() {
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
        Json symbols = Json::object();
        for (const auto& [name, range] : m_opened.symbols)
            symbols[name] = Json::array(
                {range.least ? Json(*range.least) : Json(), range.most ? Json(*range.most) : Json()});
        Json out = {{"format", "fxscope"},           {"version", kVersion},
                    {"origin", m_opened.format},     {"writer", m_opened.writer},
                    {"notes", m_opened.notes},       {"symbols", std::move(symbols)},
                    {"modules", std::move(modules)}, {"tensors", std::move(tensors)}};
        if (!quantizers.empty())
            out["quantizers"] = std::move(quantizers);
        return out;
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

    /// Each tensor as bytes in C order under its index; its dtype and shape are in the model's table, because
    /// safetensors does not know all of them.
    void writeTensors(ZipWriter& zip) {
        std::vector<TensorMeta> bytes(m_tensors.size());
        std::vector<std::pair<std::string, const TensorMeta*>> table;
        for (size_t i = 0; i < m_tensors.size(); ++i) {
            const TensorMeta& meta = m_model.tensor(m_tensors[i]).meta();
            const DtypeInfo* dtype = dtypeInfo(meta.dtype);
            bytes[i] = meta;
            if (!dtype || dtype->safetensors.empty()) {
                bytes[i].dtype = c10::ScalarType::Byte;
                bytes[i].shape = {static_cast<int64_t>(m_model.tensor(m_tensors[i]).byteCount())};
            }
            table.emplace_back(std::to_string(i), &bytes[i]);
        }
        zip.begin(kTensors);
        zip.append(safetensorsHeader(table));
        for (size_t i = 0; i < m_tensors.size(); ++i) {
            m_progress.step(0.2 + 0.7 * static_cast<double>(i) / static_cast<double>(m_tensors.size()),
                            "tensors");
            zip.append(tensorContent(m_model.tensor(m_tensors[i]).value()));
        }
        zip.end();
    }

    /// Written to a file of its own by the code for such files, then taken in.
    void writeExamples(ZipWriter& zip, const std::string& path) {
        if (!m_opened.examples)
            return;
        try {
            writeTorchFile(path, makeSequence(m_opened.examples(), true));
            zip.add(kExamples, readFile(path));
        } catch (const Error&) {
            // An example that cannot be saved is generated again from its shape.
        }
        std::remove(path.c_str());
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

void writeFxg(const OpenedModel& model, const std::string& path, Progress& progress) {
    if (!model.whyNoGraph.reason.empty())
        throw Error(path, "cannot be written, because there is no graph: " + model.whyNoGraph.reason)
            .hint(model.whyNoGraph.advice);
    Writer(model, progress).write(path);
}

} // namespace fx
