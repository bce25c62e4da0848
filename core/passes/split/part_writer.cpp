// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/split/part_writer.h"

#include "core/base/error.h"
#include "core/module/scopes.h"
#include "core/passes/clean/state_reads.h"
#include "core/passes/split/held_state.h"
#include "core/passes/split/part_graph.h"

#include <queue>

#include <algorithm>
#include <unordered_set>

namespace fx {

namespace {

/// What the graph knows of a value goes along with it.
void copyValueMeta(Edit& edit, const Meta& from, NodeId to) {
    for (const std::string_view key : {meta::kTensorMeta, meta::kValue, meta::kGivenFor})
        if (const SharedMeta known = from.shared(key))
            edit.setMeta(to, key, known);
}

/// The graph of calls that takes the place of the edit's graph, with the names of a graph that is new.
class CallingGraph {
public:
    CallingGraph(Edit& edit, const PartForm& form, const std::vector<Part>& parts)
        : m_edit(edit), m_form(form), m_parts(parts), m_output(edit.graph().outputNode()) {
        if (!m_output)
            throw Error("", "the graph has no output, so it cannot be split");
        for (const Part& part : parts)
            m_modules.push_back(makePart(edit, form, part));
        for (const Part& part : parts)
            for (const NodeId output : part.outputs) {
                Meta& known = m_metas[output] = edit.node(output).meta;
                known.set(meta::kGivenFor, SharedMeta(edit.node(output).name));
            }
        m_result = edit.node(m_output).args.at(0);
    }

    /// All calls go, and attributes but those that `isKept`.
    void clear(const std::function<bool(NodeId)>& isKept) {
        m_edit.setArgs(m_output, {NoneValue()});
        for (NodeId at = m_edit.node(m_output).previous; at;) {
            const NodeId before = m_edit.node(at).previous;
            const Opcode opcode = m_edit.node(at).opcode;
            if (opcode != Opcode::Placeholder && !(opcode == Opcode::GetAttr && isKept(at)))
                m_edit.eraseNode(at);
            at = before;
        }
    }

    /// An input or attribute comes next.
    void place(NodeId node, bool isMoved = true) {
        if (!m_placed.insert(node).second)
            return;
        if (isMoved)
            m_edit.moveBefore(node, m_output);
        const Node& own = m_edit.node(node);
        setName(node, m_names.create(m_form.keepsNodeNames && own.opcode == Opcode::Placeholder
                                         ? own.name
                                         : nameFromTarget(own.target, false)));
        m_values[node] = node;
        if (own.opcode == Opcode::GetAttr)
            m_state.add(own.target.name(), own.target.name());
    }

    /// All that there is, as it stands.
    void placeAll() {
        std::vector<NodeId> nodes;
        for (const Node& node : m_edit.graph())
            if (node.id != m_output)
                nodes.push_back(node.id);
        for (const NodeId node : nodes)
            place(node, false);
    }

    /// The attributes that the part is given come before its call.
    void placeAttributesOf(const Part& part) {
        for (const NodeId input : part.inputs)
            if (m_edit.graph().contains(input) && m_edit.node(input).opcode == Opcode::GetAttr)
                place(input);
    }

    void call(size_t index) {
        const Part& part = m_parts[index];
        m_state.addModule(part.name, m_modules[index]);
        Arguments args;
        for (const NodeId input : part.inputs)
            if (!isOwnRead(m_edit.model(), m_edit.module(), m_form, m_edit.node(input)))
                args.push_back(valueOf(input));
        const NodeId call = create(Opcode::CallModule, part.name, std::move(args));
        if (part.outputs.size() == 1 && !m_form.returnsTuple) {
            give(part.outputs[0], call);
            return;
        }
        for (size_t i = 0; i < part.outputs.size(); ++i)
            give(part.outputs[i],
                 create(Opcode::CallFunction, "operator.getitem", {call, static_cast<int64_t>(i)}));
    }

    void finish() {
        m_edit.setArgs(m_output, {mapNodes(m_result, [&](NodeId read) { return valueOf(read); })});
        m_state.replaceIn(m_edit);
    }

    const Argument& result() const { return m_result; }

private:
    Argument valueOf(NodeId read) const {
        const auto value = m_values.find(read);
        if (value == m_values.end())
            throw Error("", "the parts cannot be called in this order: '" + m_edit.node(read).name +
                                "' is read before its part is called")
                .hint("leave out --keep-original-order");
        return value->second;
    }

    NodeId create(Opcode opcode, Target target, Arguments args) {
        const std::string name = m_names.create(nameFromTarget(target, opcode == Opcode::CallFunction));
        const Edit::InsertPoint point = m_edit.insertingBefore(m_output);
        const NodeId made = m_edit.createNode(opcode, target, std::move(args), {}, name);
        setName(made, name);
        return made;
    }

    /// The names of erased nodes are free in a graph that is new.
    void setName(NodeId node, const std::string& name) {
        if (m_edit.node(node).name == name)
            return;
        m_edit.rename(node, name);
        m_edit.setName(node, name);
    }

    void give(NodeId output, NodeId value) {
        m_values[output] = value;
        copyValueMeta(m_edit, m_metas.at(output), value);
    }

    Edit& m_edit;
    PartForm m_form;
    const std::vector<Part>& m_parts;
    NodeId m_output;
    Argument m_result; ///< as the graph had it
    std::vector<ModuleId> m_modules;
    std::unordered_map<NodeId, Meta> m_metas;
    NameTable m_names;
    std::unordered_set<NodeId> m_placed;
    std::unordered_map<NodeId, NodeId> m_values;
    HeldState m_state;
};

} // namespace

void splitModule(Edit& edit, const std::vector<Part>& parts, const std::vector<size_t>& order,
                 const SplitModuleForm& how) {
    const PartForm form{true, how.keepsNodeNames, how.keepsInputNames, false, false, how.returnsTuple};
    CallingGraph calls(edit, form, parts);
    std::unordered_set<NodeId> given;
    for (const Part& part : parts)
        for (const NodeId input : part.inputs)
            if (!isOwnRead(edit.model(), edit.module(), form, edit.node(input)))
                given.insert(input);
    forEachNode(calls.result(), [&](NodeId read) { given.insert(read); });
    calls.clear([&](NodeId id) { return !how.keepsOriginalOrder || given.contains(id); });
    const std::vector<NodeId> attributes = edit.graph().findNodes(Opcode::GetAttr);
    if (!how.keepsOriginalOrder)
        calls.placeAll();
    for (const NodeId input : edit.graph().findNodes(Opcode::Placeholder))
        calls.place(input);
    for (const size_t part : order) {
        calls.placeAttributesOf(parts[part]);
        calls.call(part);
    }
    for (const NodeId attribute : attributes)
        calls.place(attribute);
    calls.finish();
}

void splitByTags(Edit& edit, const std::vector<Part>& parts, bool returnsTuple) {
    PartForm form;
    form.returnsTuple = returnsTuple;
    CallingGraph calls(edit, form, parts);
    std::unordered_set<NodeId> kept;
    forEachNode(calls.result(), [&](NodeId read) { kept.insert(read); });
    calls.clear([&](NodeId id) { return kept.contains(id); });
    for (const NodeId input : edit.graph().findNodes(Opcode::Placeholder))
        calls.place(input);
    for (size_t part = 0; part < parts.size(); ++part)
        calls.call(part);
    for (const NodeId attribute : edit.graph().findNodes(Opcode::GetAttr))
        calls.place(attribute);
    calls.finish();
}

namespace {

/// Each node after those that it reads, otherwise as they stand.
void sortGraph(Edit& edit) {
    const NodePlaces places(edit.graph());
    std::vector<size_t> waitsFor(places.size());
    std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
    for (size_t i = 0; i < places.size(); ++i) {
        waitsFor[i] = edit.node(places.node(i)).inputs.size();
        if (!waitsFor[i])
            ready.push(i);
    }
    std::vector<NodeId> order;
    order.reserve(places.size());
    while (!ready.empty()) {
        order.push_back(places.node(ready.top()));
        ready.pop();
        for (const NodeId user : edit.node(order.back()).users)
            if (--waitsFor[places.of(user)] == 0)
                ready.push(places.of(user));
    }
    if (order.size() != places.size())
        throw Error("", "a value leaves a part and comes back into it");
    NodeId next = edit.graph().first();
    for (const NodeId id : order) {
        if (id != next)
            edit.moveBefore(id, next);
        else
            next = edit.node(id).next;
    }
}

} // namespace

namespace {

/// The part becomes a submodule, and a call of it stands behind its last node, in the place of all of them.
/// Gives the call.
NodeId callPart(Edit& edit, const PartForm& form, const Part& part, NameTable& names) {
    edit.addSubmodule(part.name, makePart(edit, form, part));
    Arguments args;
    for (const NodeId input : part.inputs)
        if (!isOwnRead(edit.model(), edit.module(), form, edit.node(input)))
            args.emplace_back(input);
    NodeId last = part.nodes.back();
    const auto create = [&](Opcode opcode, Target target, Arguments given) {
        const std::string name = names.create(nameFromTarget(target, opcode == Opcode::CallFunction));
        const Edit::InsertPoint point = edit.insertingAfter(last);
        last = edit.createNode(opcode, target, std::move(given), {}, name);
        return last;
    };
    const NodeId call = create(Opcode::CallModule, part.name, std::move(args));
    for (size_t i = 0; i < part.outputs.size(); ++i) {
        const NodeId output = part.outputs[i];
        const NodeId value = part.outputs.size() == 1 ? call
                                                      : create(Opcode::CallFunction, "operator.getitem",
                                                               {call, static_cast<int64_t>(i)});
        const Meta known = edit.node(output).meta;
        for (const auto& [key, entry] : known.entries())
            edit.setMeta(value, key, entry);
        edit.setMeta(value, meta::kGivenFor, SharedMeta(edit.node(output).name));
        edit.replaceAllUsesWith(output, value);
    }
    for (auto node = part.nodes.rbegin(); node != part.nodes.rend(); ++node)
        edit.eraseNode(*node);
    return call;
}

bool isWithin(std::string_view path, std::string_view above) {
    return path == above || (path.starts_with(above) && path[above.size()] == '.');
}

/// What the part has now at the same paths goes from where it was, if no graph reads it there.
void deleteMoved(Edit& edit, const std::vector<std::string>& paths) {
    const Model& model = edit.model();
    const auto isRead = [&](const std::string& path) {
        bool out = false;
        model.forEachModule(model.root(), [&](ModuleId id, const std::string&) {
            if (!model.module(id).graph)
                return;
            for (const Node& node : model.graph(id)) {
                if (node.opcode != Opcode::CallModule && node.opcode != Opcode::GetAttr)
                    continue;
                const std::string& target = node.target.name();
                if (id == edit.module())
                    out = out || isWithin(target, path) || isWithin(path, target);
                else if (target.ends_with('.' + path)) // from a module around this one
                    out = true;
            }
        });
        return out;
    };
    for (const std::string& path : paths) {
        const Attribute found = model.resolve(edit.module(), path);
        if (!found || isRead(path))
            continue;
        found.module ? edit.deleteSubmodule(path) : edit.deleteTensor(path);
        for (size_t dot = path.rfind('.'); dot != std::string::npos; dot = path.rfind('.', dot - 1)) {
            const std::string above = path.substr(0, dot);
            const Module& holder = model.module(model.resolve(edit.module(), above).module);
            if (!holder.children.empty() || !holder.tensors.empty() || holder.graph || isRead(above))
                break;
            edit.deleteSubmodule(above);
        }
    }
}

/// The modules that all nodes of the part are called in.
ModuleStack stackAround(const Graph& graph, const Part& part) {
    std::vector<ModuleStack> stacks;
    for (const NodeId id : part.nodes) {
        const auto* stack = graph.node(id).meta.find<ModuleStack>(meta::kModuleStack);
        stacks.push_back(stack ? *stack : ModuleStack());
    }
    return commonStack(stacks);
}

} // namespace

void fusePartitions(Edit& edit, std::vector<Part>& parts) {
    PartForm form;
    form.readsOwnAttributes = false;
    // An erased node's name stays taken.
    NameTable names = edit.graph().names();
    std::vector<std::string> unused;
    for (const Part& part : parts)
        for (const NodeId id : part.nodes)
            if (edit.node(id).opcode == Opcode::CallModule)
                unused.push_back(edit.node(id).target.name());
    for (Part& part : parts) {
        findBorders(edit.graph(), part); // some of what it reads is another part's result by now
        callPart(edit, form, part, names);
    }
    sortGraph(edit);
    std::ranges::reverse(unused);
    deleteUnreached(edit, unused);
}

void extractPart(Edit& edit, const Part& part) {
    NameTable names = edit.graph().names();
    const ModuleStack stack = stackAround(edit.graph(), part);
    std::vector<std::string> unused;
    const auto note = [&](NodeId id) {
        if (const Node& node = edit.node(id);
            node.opcode == Opcode::CallModule || node.opcode == Opcode::GetAttr)
            unused.push_back(node.target.name());
    };
    for (const NodeId id : part.nodes)
        note(id);
    const NodeId call = callPart(edit, PartForm(), part, names);
    edit.setMeta(call, meta::kModuleStack, stack.empty() ? SharedMeta() : SharedMeta(stack));
    for (const NodeId input : part.inputs)
        if (edit.node(input).opcode == Opcode::GetAttr && edit.node(input).users.empty()) {
            note(input);
            edit.eraseNode(input);
        }
    sortGraph(edit);
    deleteMoved(edit, unused);
}

} // namespace fx
