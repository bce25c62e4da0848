// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/split/merge_parts.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/passes/clean/left_alone.h"
#include "core/passes/clean/state_reads.h"
#include "core/passes/pass_options.h"
#include "core/passes/split/part_writer.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace fx {

namespace {

/// What the inputs of the called graph are.
using InputValues = std::unordered_map<NodeId, Argument>;

class PartMerger {
public:
    explicit PartMerger(Edit& edit) : m_edit(edit) {}

    void run(const std::string& wanted, const std::vector<NodeId>& chosen, PassContext& context) {
        std::set<std::string> names;
        for (const std::string_view name : split(wanted, ','))
            if (!trim(name).empty())
                names.emplace(trim(name));
        std::vector<NodeId> calls;
        for (const NodeId call : m_edit.graph().findNodes(Opcode::CallModule))
            if (isGraph(call) && (chosen.empty() || std::ranges::find(chosen, call) != chosen.end()) &&
                (names.empty() || names.contains(m_edit.node(call).target.name())))
                calls.push_back(call);
        for (const NodeId node : chosen)
            if (std::ranges::find(calls, node) == calls.end())
                throw Error("node '" + m_edit.node(node).name + "'", "calls no submodule with a graph");
        for (const std::string& name : names)
            if (std::ranges::none_of(calls, [&](NodeId id) { return m_edit.node(id).target.name() == name; }))
                throw Error("--parts", "no call of a graph is named '" + name + "'");
        std::erase_if(calls, [&](NodeId call) {
            InputValues values;
            const std::string why = obstacle(call, calledBy(call), values);
            if (!why.empty())
                m_left.add(why, m_edit.node(call).name);
            return !why.empty();
        });
        takeNames(calls);
        for (const NodeId call : calls) {
            context.progress.step(0, m_edit.node(call).name);
            merge(call);
        }
        deleteMerged();
        context.results.push_back(plural(m_merged.size(), "part") + " merged");
        m_left.tellIn(context.results);
    }

private:
    ModuleId calledBy(NodeId call) const {
        return m_edit.model().resolve(m_edit.module(), m_edit.node(call).target.name()).module;
    }
    bool isGraph(NodeId call) const {
        const ModuleId module = calledBy(call);
        return module && m_edit.model().module(module).graph;
    }

    /// Names are taken by the nodes that stay.
    void takeNames(const std::vector<NodeId>& calls) {
        std::unordered_set<NodeId> going(calls.begin(), calls.end());
        for (const NodeId call : calls)
            for (const NodeId reader : m_edit.node(call).users)
                if (itemOf(reader))
                    going.insert(reader);
        for (const Node& node : m_edit.graph()) {
            if (!going.contains(node.id))
                m_names.create(node.name);
            if (node.opcode == Opcode::GetAttr)
                m_readers.try_emplace(node.target, node.id);
        }
    }

    /// Which item the node takes of what it reads.
    std::optional<int64_t> itemOf(NodeId reader) const {
        const Node& node = m_edit.node(reader);
        const bool isItem = node.target.name() == "operator.getitem" && node.args.size() == 2;
        const auto* index = isItem ? node.args[1].as<int64_t>() : nullptr;
        return index ? std::optional(*index) : std::nullopt;
    }

    void merge(NodeId call) {
        const ModuleId module = calledBy(call);
        m_merged.push_back(m_edit.node(call).target.name());
        InputValues values;
        obstacle(call, module, values);
        giveResult(call, copyNodes(call, module, values));
        m_edit.eraseNode(call);
    }

    /// Why the graph cannot stand here; fills in what its inputs are.
    std::string obstacle(NodeId call, ModuleId module, InputValues& values) const {
        const Graph& graph = m_edit.model().graph(module);
        const Node& node = m_edit.node(call);
        if (graph.signature())
            return "as they take nested values";
        if (!graph.outputNode())
            return "as they have no output";
        size_t position = 0, named = 0;
        for (const NodeId id : graph.findNodes(Opcode::Placeholder)) {
            const Node& input = graph.node(id);
            if (input.target.name().starts_with('*'))
                return "as they take any number of values";
            const Argument* keyword = node.keyword(input.target.name());
            named += keyword != nullptr;
            if (position < node.args.size())
                values[id] = node.args[position++];
            else if (keyword)
                values[id] = *keyword;
            else if (!input.args.empty())
                values[id] = input.args[0];
            else
                return "as they are called without all of their inputs";
        }
        if (position < node.args.size() || named < node.kwargs.size())
            return "as they are called with more than their inputs";
        for (const Node& each : graph)
            if ((each.opcode == Opcode::CallModule || each.opcode == Opcode::GetAttr) &&
                !m_edit.model().resolve(module, each.target.name()))
                return "as they read what is not there";
        return {};
    }

    Argument copyNodes(NodeId call, ModuleId module, InputValues& values) {
        const Graph& graph = m_edit.model().graph(module);
        const Edit::InsertPoint point = m_edit.insertingBefore(call);
        const std::function<Argument(NodeId)> map = [&](NodeId read) { return values.at(read); };
        for (const Node& node : graph) {
            if (node.opcode == Opcode::Output)
                return mapNodes(node.args.at(0), map);
            if (node.opcode == Opcode::Placeholder)
                continue;
            values[node.id] = copyNode(node, module, map, call);
        }
        return {};
    }

    NodeId copyNode(const Node& node, ModuleId module, const std::function<Argument(NodeId)>& map,
                    NodeId call) {
        const bool isPath = node.opcode == Opcode::CallModule || node.opcode == Opcode::GetAttr;
        const Target target = isPath ? Target(hoisted(node, module)) : node.target;
        if (node.opcode == Opcode::GetAttr)
            if (const auto known = m_readers.find(target);
                known != m_readers.end() && m_edit.graph().precedes(known->second, call))
                return known->second;
        Meta meta = node.meta;
        meta.set(meta::kSplitFrom, {});
        const std::string name = m_names.create(node.name);
        const NodeId made =
            m_edit.createNode(node.opcode, target, mapNodes(node.args, map), mapNodes(node.kwargs, map), name,
                              node.type.toOptional(), std::move(meta));
        m_edit.setName(made, name); // erased nodes of the graph may have had it
        if (node.opcode == Opcode::GetAttr)
            m_readers[target] = made;
        return made;
    }

    /// The path at which the graph has now what the part has.
    std::string hoisted(const Node& node, ModuleId module) {
        const Attribute found = m_edit.model().resolve(module, node.target.name());
        const auto* before = node.meta.find<std::string>(meta::kSplitFrom);
        std::string path = before ? *before : node.target.name();
        const Attribute there = m_edit.model().resolve(m_edit.module(), path);
        const bool isThere = (found.module && there.module == found.module) ||
                             (found.tensor && there.tensor == found.tensor) ||
                             (found.value && there.value && *there.value == *found.value);
        if (isThere)
            return path;
        if ((there && !isStandIn(there.module, found.module)) || isBelowOther(path))
            path = freePath(m_edit.model(), m_edit.module(), replaceAll(path, ".", "_"));
        if (found.module)
            m_edit.addSubmodule(path, found.module);
        else if (found.tensor)
            m_edit.setTensor(path, found.tensor, found.role);
        else
            m_edit.setValue(path, Argument(*found.value));
        return path;
    }

    /// Whether the one only holds what the other has, as a split leaves it where the graph reads that.
    bool isStandIn(ModuleId one, ModuleId other) const {
        if (!one || !other)
            return false;
        const Module &holder = m_edit.model().module(one), &whole = m_edit.model().module(other);
        return holder.type == kPlainModule && !holder.graph && holder.values.empty() &&
               std::ranges::all_of(holder.tensors,
                                   [&](const NamedTensor& each) {
                                       const NamedTensor* same = whole.tensor(each.name);
                                       return same && same->tensor == each.tensor;
                                   }) &&
               std::ranges::all_of(holder.children, [&](const NamedModule& each) {
                   return whole.child(each.name) == each.module ||
                          isStandIn(each.module, whole.child(each.name));
               });
    }

    /// Whether something that is no module of its own stands on the way: what is put below a module that is
    /// called would be that module's.
    bool isBelowOther(const std::string& path) const {
        for (size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', dot + 1)) {
            const Attribute above = m_edit.model().resolve(m_edit.module(), path.substr(0, dot));
            if (above && (!above.module || m_edit.model().module(above.module).type != kPlainModule))
                return true;
        }
        return false;
    }

    void replace(NodeId reader, NodeId old, const Argument& value) {
        const auto map = [&](NodeId read) { return read == old ? value : Argument(read); };
        m_edit.setArgs(reader, mapNodes(m_edit.node(reader).args, map));
        if (!m_edit.node(reader).kwargs.empty())
            m_edit.setKwargs(reader, mapNodes(m_edit.node(reader).kwargs, map));
    }

    void replaceInReaders(NodeId old, const Argument& value) {
        for (const NodeId reader : m_edit.node(old).users.toVector())
            replace(reader, old, value);
    }

    /// Who takes an item of the result reads that; others read the result as it is.
    void giveResult(NodeId call, const Argument& result) {
        const Arguments* items = result.items();
        for (const NodeId reader : m_edit.node(call).users.toVector()) {
            const std::optional<int64_t> index = itemOf(reader);
            if (!items || !index || *index < 0 || *index >= static_cast<int64_t>(items->size())) {
                replace(reader, call, result);
                continue;
            }
            replaceInReaders(reader, (*items)[static_cast<size_t>(*index)]);
            m_edit.eraseNode(reader);
        }
    }

    /// Those of the merged parts that nothing calls or reads any more.
    void deleteMerged() {
        std::set<std::string> used;
        for (const Node& node : m_edit.graph())
            if (node.opcode == Opcode::CallModule || node.opcode == Opcode::GetAttr) {
                const std::string& path = node.target.name();
                for (size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', dot + 1))
                    used.insert(path.substr(0, dot));
                used.insert(path);
            }
        for (auto path = m_merged.rbegin(); path != m_merged.rend(); ++path)
            if (!used.contains(*path))
                m_edit.deleteSubmodule(*path);
    }

    Edit& m_edit;
    NameTable m_names; ///< of the nodes that there are
    std::unordered_map<Target, NodeId> m_readers;
    std::vector<std::string> m_merged;
    LeftAlone m_left;
};

} // namespace

void runMergeParts(Edit& edit, const PassOptions& options, PassContext& context) {
    PartMerger(edit).run(options.text("parts"), options.nodes("nodes", edit.graph()), context);
}

} // namespace fx
