// SPDX-License-Identifier: GPL-3.0-or-later
// Modules and tensors are tables with indices, so that what is shared stays shared.
#include "core/io/fxg.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/codegen/python_code.h"
#include "core/io/argument_json.h"
#include "core/io/fxg_sources.h"
#include "core/io/tensor_bytes.h"
#include "core/io/tensor_files.h"
#include "core/io/torch_archive.h"
#include "core/ir/dtype.h"
#include "core/module/edit.h"
#include "core/python/value.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>
#include <set>

namespace fx {

namespace {

constexpr const char* kModel = "fxscope/model.json";
constexpr const char* kTensors = "fxscope/tensors.safetensors";
constexpr const char* kLayout = "fxscope/layout.json";
constexpr const char* kExamples = "fxscope/examples.pt";
constexpr int64_t kVersion = 1;

constexpr std::string_view kRoles[] = {"parameter", "buffer", "transient_buffer", "constant"};

// --- Writing

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
        Json tensors = Json::array();
        for (TensorId id : m_tensors)
            tensors.push_back(toJson(ValueMeta{m_model.tensor(id).meta()}));
        Json symbols = Json::object();
        for (const auto& [name, range] : m_opened.symbols)
            symbols[name] = Json::array(
                {range.least ? Json(*range.least) : Json(), range.most ? Json(*range.most) : Json()});
        return {{"format", "fxscope"},           {"version", kVersion},
                {"origin", m_opened.format},     {"writer", m_opened.writer},
                {"notes", m_opened.notes},       {"symbols", std::move(symbols)},
                {"modules", std::move(modules)}, {"tensors", std::move(tensors)}};
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

// --- Reading

/// The same values at other distances. Where a dimension repeats the same elements, as in an expanded tensor,
/// they are written once.
at::Tensor withStrides(const at::Tensor& tensor, const std::vector<int64_t>& strides) {
    at::Tensor out = at::empty_strided(tensor.sizes(), strides, tensor.options());
    at::Tensor to = out, from = tensor;
    for (size_t i = 0; i < strides.size(); ++i)
        if (strides[i] == 0) {
            to = to.narrow(static_cast<int64_t>(i), 0, 1);
            from = from.narrow(static_cast<int64_t>(i), 0, 1);
        }
    to.copy_(from);
    return out;
}

class Reader {
public:
    Reader(const std::shared_ptr<ZipArchive>& zip, Progress& progress)
        : m_zip(zip), m_progress(progress), m_json(zip->read(kModel), zip->path() + ": " + kModel) {}

    OpenedModel read() {
        const Json& root = m_json.root();
        if (m_json.string(m_json.member(root, "format")) != "fxscope")
            m_json.fail(root, "is not written by fxscope");
        const int64_t version = m_json.integer(m_json.member(root, "version"));
        if (version != kVersion)
            throw Error(m_zip->path(), "is of version " + std::to_string(version) +
                                           ", this program reads version " + std::to_string(kVersion))
                .hint("open it with a newer fxscope");
        const Json& modules = m_json.array(m_json.member(root, "modules"));
        if (modules.empty())
            m_json.fail(modules, "holds no module");
        OpenedModel out;
        out.model = Model(m_json.string(m_json.member(modules[0], "type")));
        Edit edit(out.model);
        makeTensors(edit, m_json.array(m_json.member(root, "tensors")));
        // All modules are there before any names another.
        for (size_t i = 0; i < modules.size(); ++i)
            m_modules.push_back(i == 0 ? out.model.root()
                                       : edit.createModule(m_json.string(m_json.member(modules[i], "type")),
                                                           m_json.find(modules[i], "graph") != nullptr));
        for (size_t i = 0; i < modules.size(); ++i) {
            edit.enter(m_modules[i]);
            fillModule(edit, modules[i]);
        }
        requireTree(out.model);
        edit.finish();
        readSources(*m_zip, out.model);
        for (const auto& [name, range] : m_json.object(m_json.member(root, "symbols")).items()) {
            SymbolRange& symbol = out.symbols[name];
            if (!range.is_array() || range.size() != 2)
                m_json.fail(range, "should be two ends of a range");
            if (!range[0].is_null())
                symbol.least = m_json.integer(range[0]);
            if (!range[1].is_null())
                symbol.most = m_json.integer(range[1]);
        }
        for (const Json& note : m_json.array(m_json.member(root, "notes")))
            out.notes.push_back(m_json.string(note));
        out.path = m_zip->path();
        out.format = "fxscope (.fxg)";
        out.writer = m_json.string(m_json.member(root, "writer"));
        if (m_zip->contains(kLayout))
            out.layoutState = m_zip->read(kLayout);
        if (m_zip->contains(kExamples))
            out.examples = [zip = m_zip] {
                return itemsOf(readTorchArchive(zip->read(kExamples), zip->path() + ": " + kExamples))
                    .value_or(Values());
            };
        return out;
    }

private:
    void makeTensors(Edit& edit, const Json& table) {
        const ZipArchive::Piece piece = m_zip->map(kTensors);
        const auto verified = std::make_shared<std::once_flag>();
        std::map<std::string, TensorSlot> stored;
        for (auto& [name, slot] :
             readSafetensors(piece.file, piece.offset, piece.size, m_zip->path() + ": " + kTensors))
            stored.emplace(name, slot);
        for (size_t i = 0; i < table.size(); ++i) {
            const ValueMeta value = valueMetaFromJson(m_json, table[i]);
            const auto* meta = std::get_if<TensorMeta>(&value.value);
            const auto slot = stored.find(std::to_string(i));
            if (!meta || slot == stored.end())
                m_json.fail(table[i], "has no tensor in " + std::string(kTensors));
            std::vector<int64_t> sizes, strides;
            for (const Dimension& size : meta->shape)
                sizes.push_back(fixed(table[i], size));
            for (const Dimension& stride : meta->stride)
                strides.push_back(fixed(table[i], stride));
            uint64_t count = 1;
            for (int64_t size : sizes)
                if (size < 0 || __builtin_mul_overflow(count, uint64_t(size), &count))
                    m_json.fail(table[i], "has an impossible shape");
            requireModestReach(table[i], sizes, strides, slot->second.byteCount());
            if (sizes.size() != strides.size() ||
                count * c10::elementSize(meta->dtype) != slot->second.byteCount())
                m_json.fail(table[i], "does not fit its data in " + std::string(kTensors));
            m_tensors.push_back(edit.createTensor(
                TensorSlot(*meta, [meta = *meta, slot = slot->second, sizes, strides, piece, verified] {
                    std::call_once(*verified, [&] { piece.verify(); });
                    at::Tensor tensor = slot.value();
                    if (tensor.scalar_type() != meta.dtype)
                        tensor = tensor.view(meta.dtype);
                    tensor = tensor.reshape(sizes);
                    if (tensor.strides() != c10::IntArrayRef(strides) && tensor.numel() > 0)
                        tensor = withStrides(tensor, strides);
                    if (meta.requiresGrad)
                        tensor.set_requires_grad(true);
                    return tensor;
                })));
        }
    }

    /// Strides are given back to the data when it is read; they may not ask for much more memory than it has.
    void requireModestReach(const Json& at, const std::vector<int64_t>& sizes,
                            const std::vector<int64_t>& strides, uint64_t bytes) {
        uint64_t reach = 0;
        for (size_t i = 0; i < std::min(sizes.size(), strides.size()); ++i) {
            uint64_t step = 0;
            if (strides[i] < 0 || __builtin_mul_overflow(uint64_t(sizes[i]), uint64_t(strides[i]), &step) ||
                __builtin_add_overflow(reach, step, &reach))
                m_json.fail(at, "has impossible strides");
        }
        constexpr uint64_t kGaps = 64;
        if (reach > kGaps * (bytes + (1 << 20)))
            m_json.fail(at, "has strides that reach far beyond its data");
    }

    int64_t fixed(const Json& at, const Dimension& dimension) {
        const auto* size = std::get_if<int64_t>(&dimension);
        if (!size)
            m_json.fail(at, "has a size that is no number");
        return *size;
    }

    const Json& entry(const Json& value, size_t parts) {
        if (!value.is_array() || value.size() != parts)
            m_json.fail(value, "should be a list of " + std::to_string(parts));
        return value;
    }

    template <class Id>
    Id at(const std::vector<Id>& ids, const Json& index) {
        const int64_t i = m_json.integer(index);
        if (i < 0 || i >= static_cast<int64_t>(ids.size()))
            m_json.fail(index, "is no index of its table");
        return ids[static_cast<size_t>(i)];
    }

    void fillModule(Edit& edit, const Json& module) {
        const ModuleId id = edit.module();
        for (const Json& child : m_json.array(m_json.member(module, "children"))) {
            entry(child, 2);
            requireName(child[0]);
            edit.addSubmodule(m_json.string(child[0]), at(m_modules, child[1]));
        }
        for (const Json& tensor : m_json.array(m_json.member(module, "tensors"))) {
            entry(tensor, 3);
            requireName(tensor[0]);
            const std::string role = m_json.string(tensor[2]);
            const auto known = std::find(std::begin(kRoles), std::end(kRoles), role);
            if (known == std::end(kRoles))
                m_json.fail(tensor[2], "is no role of a tensor");
            edit.setTensor(m_json.string(tensor[0]),
                           tensor[1].is_null() ? TensorId() : at(m_tensors, tensor[1]),
                           static_cast<TensorRole>(known - std::begin(kRoles)));
        }
        const auto nobody = [](int64_t) { return NodeId(); };
        for (const Json& value : m_json.array(m_json.member(module, "values"))) {
            entry(value, 2);
            requireName(value[0]);
            edit.setValue(m_json.string(value[0]), argumentFromJson(m_json, value[1], nobody));
        }
        edit.setTraining(m_json.boolean(m_json.member(module, "training")));
        if (const Json* graph = m_json.find(module, "graph")) {
            edit.enter(id);
            fillGraph(edit, *graph);
        }
    }

    /// A name with a dot would be taken for a path.
    void requireName(const Json& name) {
        const std::string text = m_json.string(name);
        if (text.empty() || contains(text, "."))
            m_json.fail(name, "cannot name a member of a module");
    }

    void fillGraph(Edit& edit, const Json& graph) {
        const Json& nodes = m_json.array(m_json.member(graph, "nodes"));
        std::vector<NodeId> ids;
        for (const Json& node : nodes) {
            const std::string opcodeText = m_json.string(m_json.member(node, "op"));
            const std::optional<Opcode> opcode = opcodeFromName(opcodeText);
            if (!opcode)
                m_json.fail(node, "has the opcode '" + opcodeText + "', which is not known");
            std::optional<std::string> type;
            if (const Json* text = m_json.find(node, "type"))
                type = m_json.string(*text);
            const std::string name = m_json.string(m_json.member(node, "name"));
            const NodeId id =
                edit.createNode(*opcode, m_json.string(m_json.member(node, "target")), {}, {}, name, type);
            edit.setName(id, name);
            ids.push_back(id);
        }
        const auto nodeAt = [&](int64_t index) {
            if (index < 0 || index >= static_cast<int64_t>(ids.size()))
                m_json.fail(nodes, "names node " + std::to_string(index) + ", which is not there");
            return ids[static_cast<size_t>(index)];
        };
        std::vector<size_t> order(ids.size());
        std::iota(order.begin(), order.end(), 0);
        if (const Json* given = m_json.find(graph, "reading_order")) {
            if (m_json.array(*given).size() != ids.size())
                m_json.fail(*given, "should name every node");
            for (size_t i = 0; i < ids.size(); ++i)
                order[i] = static_cast<size_t>(nodeAt(m_json.integer((*given)[i])).value - ids[0].value);
            if (std::set<size_t>(order.begin(), order.end()).size() != order.size())
                m_json.fail(*given, "should name every node once");
        }
        size_t count = 0;
        for (size_t i : order) {
            if (count++ % 256 == 0)
                m_progress.step(0.2 + 0.6 * static_cast<double>(count) / static_cast<double>(ids.size()),
                                "nodes");
            const Json& node = nodes[i];
            Arguments args;
            Keywords kwargs;
            for (const Json& argument : m_json.array(m_json.member(node, "args")))
                args.push_back(argumentFromJson(m_json, argument, nodeAt));
            for (const Json& argument : m_json.array(m_json.member(node, "kwargs"))) {
                entry(argument, 2);
                kwargs.emplace_back(m_json.string(argument[0]),
                                    argumentFromJson(m_json, argument[1], nodeAt));
            }
            if (!args.empty())
                edit.setArgs(ids[i], std::move(args));
            if (!kwargs.empty())
                edit.setKwargs(ids[i], std::move(kwargs));
            for (const auto& [key, value] : m_json.object(m_json.member(node, "meta")).items())
                edit.setMeta(ids[i], key, metaFromJson(m_json, value, nodeAt));
        }
        if (const Json* signature = m_json.find(graph, "signature"))
            edit.setSignature(signatureFromJson(m_json, *signature));
    }

    /// Modules may share children, but none may hold itself.
    void requireTree(const Model& model) {
        std::map<ModuleId, int> state; // 1: being walked, 2: done
        constexpr int kDeepest = 500;
        const std::function<void(ModuleId, int)> walk = [&](ModuleId id, int depth) {
            if (state[id] == 2)
                return;
            if (state[id] == 1 || depth > kDeepest)
                m_json.fail(m_json.member(m_json.root(), "modules"),
                            "hold each other in a circle, or too deeply");
            state[id] = 1;
            for (const NamedModule& child : model.module(id).children)
                walk(child.module, depth + 1);
            state[id] = 2;
        };
        walk(model.root(), 0);
    }

    std::shared_ptr<ZipArchive> m_zip;
    Progress& m_progress;
    JsonDocument m_json;
    std::vector<ModuleId> m_modules;
    std::vector<TensorId> m_tensors;
};

} // namespace

bool isFxg(const ZipArchive& zip) {
    return zip.contains(kModel);
}

OpenedModel readFxg(const std::shared_ptr<ZipArchive>& zip, Progress& progress) {
    return Reader(zip, progress).read();
}

void writeFxg(const OpenedModel& model, const std::string& path, Progress& progress) {
    if (!model.whyNoGraph.reason.empty())
        throw Error(path, "cannot be written, because there is no graph: " + model.whyNoGraph.reason)
            .hint(model.whyNoGraph.advice);
    Writer(model, progress).write(path);
}

} // namespace fx
