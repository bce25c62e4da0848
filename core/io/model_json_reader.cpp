// SPDX-License-Identifier: GPL-3.0-or-later
// A model from JSON: modules first, so that each is there before another names it, then graphs.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/argument_json.h"
#include "core/io/fxg/fxg_members.h"
#include "core/io/model_json.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace fx {

namespace {

using namespace fxg;

class ModelReader {
public:
    ModelReader(const JsonDocument& json, Progress& progress) : m_json(json), m_progress(progress) {}

    OpenedModel read(const TensorReader& readTensors) {
        const Json& root = m_json.root();
        const Json& modules = m_json.array(m_json.member(root, "modules"));
        if (modules.empty())
            m_json.fail(modules, "holds no module");
        OpenedModel out;
        out.model = Model(m_json.string(m_json.member(modules[0], "type")));
        Edit edit(out.model);
        m_tensors = readTensors(m_json, edit);
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
        out.symbols = symbolsFromJson(m_json, m_json.member(root, "symbols"));
        for (const Json& note : m_json.array(m_json.member(root, "notes")))
            out.notes.push_back(m_json.string(note));
        out.writer = m_json.string(m_json.member(root, "writer"));
        if (const Json* record = m_json.find(root, "export_record"))
            out.exportRecord = m_json.string(*record);
        return out;
    }

private:
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

    const JsonDocument& m_json;
    Progress& m_progress;
    std::vector<ModuleId> m_modules;
    std::vector<TensorId> m_tensors;
};

} // namespace

OpenedModel modelFromJson(const JsonDocument& json, const TensorReader& readTensors, Progress& progress) {
    return ModelReader(json, progress).read(readTensors);
}

std::map<std::string, SymbolRange> symbolsFromJson(const JsonDocument& json, const Json& symbols) {
    std::map<std::string, SymbolRange> out;
    for (const auto& [name, range] : json.object(symbols).items()) {
        SymbolRange& symbol = out[name];
        if (!range.is_array() || range.size() != 2)
            json.fail(range, "should be two ends of a range");
        if (!range[0].is_null())
            symbol.least = json.integer(range[0]);
        if (!range[1].is_null())
            symbol.most = json.integer(range[1]);
    }
    return out;
}

std::vector<SourceText> sourcesFromJson(const JsonDocument& json, const Json& list) {
    std::vector<SourceText> sources;
    for (const Json& row : json.array(list))
        sources.push_back({json.string(json.member(row, "module")), json.string(json.member(row, "path")),
                           json.string(json.member(row, "text")), json.boolean(json.member(row, "package"))});
    return sources;
}

} // namespace fx
