// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/module/become.h"

#include <algorithm>
#include <unordered_set>

namespace fx {

namespace {

class Becoming {
public:
    Becoming(Edit& edit, const CopiedModel& copied) : m_edit(edit), m_copied(copied) {}

    void module(ModuleId after, ModuleId own) {
        if (!m_done.insert(after).second)
            return;
        const auto known = m_copied.modules.find(after);
        const Module* before = known == m_copied.modules.end() || known->second.own != own
                                   ? nullptr
                                   : &m_copied.before.module(known->second.before);
        const Module& wanted = m_copied.after.module(after);
        children(wanted, before, own);
        tensors(wanted, before, own);
        values(wanted, before, own);
        m_edit.enter(own);
        if (!before || before->isTraining != wanted.isTraining)
            m_edit.setTraining(wanted.isTraining);
        if (wanted.graph)
            graph(after, own);
    }

private:
    const Model& model() const { return m_edit.model(); }

    void children(const Module& wanted, const Module* before, ModuleId own) {
        if (before)
            for (const NamedModule& child : before->children)
                if (!wanted.child(child.name)) {
                    m_edit.enter(own);
                    m_edit.deleteSubmodule(child.name);
                }
        for (const NamedModule& child : wanted.children) {
            const ModuleId made = ownOf(child.module);
            if (model().module(own).child(child.name) != made) {
                m_edit.enter(own);
                m_edit.addSubmodule(child.name, made);
            }
            module(child.module, made);
        }
    }

    /// The module of the model for one of `after`: its counterpart, or a new one, which is filled when its
    /// turn comes.
    ModuleId ownOf(ModuleId after) {
        if (const auto known = m_copied.modules.find(after); known != m_copied.modules.end())
            return known->second.own;
        const auto [made, isNew] = m_made.emplace(after, ModuleId());
        if (isNew) {
            const Module& wanted = m_copied.after.module(after);
            made->second = m_edit.createModule(wanted.type, bool(wanted.graph));
        }
        return made->second;
    }

    void tensors(const Module& wanted, const Module* before, ModuleId own) {
        m_edit.enter(own);
        if (before)
            for (const NamedTensor& entry : before->tensors)
                if (!wanted.tensor(entry.name))
                    m_edit.deleteTensor(entry.name);
        for (const NamedTensor& entry : wanted.tensors) {
            const NamedTensor* was = before ? before->tensor(entry.name) : nullptr;
            const bool isSame = was && was->role == entry.role && bool(was->tensor) == bool(entry.tensor) &&
                                (!entry.tensor || m_copied.isSameTensor(was->tensor, entry.tensor));
            if (isSame && model().module(own).tensor(entry.name))
                continue;
            m_edit.setTensor(entry.name, entry.tensor ? ownTensor(entry.tensor) : TensorId(), entry.role);
        }
    }

    TensorId ownTensor(TensorId after) {
        const auto [made, isNew] = m_tensors.emplace(after, TensorId());
        if (isNew)
            made->second = m_edit.createTensor(m_copied.after.tensor(after));
        return made->second;
    }

    void values(const Module& wanted, const Module* before, ModuleId own) {
        m_edit.enter(own);
        if (before)
            for (const NamedValue& entry : before->values)
                if (!wanted.value(entry.name) && model().module(own).value(entry.name))
                    m_edit.setValue(entry.name, std::nullopt);
        for (const NamedValue& entry : wanted.values) {
            const Argument* was = before ? before->value(entry.name) : nullptr;
            if (!was || !(*was == entry.value))
                m_edit.setValue(entry.name, entry.value);
        }
    }

    void graph(ModuleId after, ModuleId own) {
        m_edit.enter(own);
        const Graph& wanted = m_copied.after.graph(after);
        const auto found = m_copied.nodes.find(after);
        const NodeMap* known = found == m_copied.nodes.end() ? nullptr : &found->second;
        m_kept.clear();
        m_named.clear();
        if (!known)
            for (const Node& node : m_edit.graph())
                m_named.emplace(node.name, node.id);
        NodeMap nodes; // of `after` to the model's
        for (const Node& node : wanted)
            if (const NodeId mine = keptNode(known, node))
                if (m_kept.insert(mine).second)
                    nodes[node.id] = mine;
        const auto mapped = [&](NodeId id) -> Argument { return nodes.at(id); };
        NodeId previous;
        for (const Node& node : wanted) {
            Arguments args = mapNodes(node.args, mapped);
            Keywords kwargs = mapNodes(node.kwargs, mapped);
            const std::optional<std::string> type = node.type ? std::optional(*node.type) : std::nullopt;
            NodeId& mine = nodes[node.id];
            if (mine) {
                place(mine, previous);
                change(mine, node, std::move(args), std::move(kwargs), type);
            } else {
                const Edit::InsertPoint point =
                    previous ? m_edit.insertingAfter(previous) : m_edit.insertingBefore(NodeId());
                mine = m_edit.createNode(node.opcode, node.target, std::move(args), std::move(kwargs),
                                         node.name, type, node.meta);
                m_kept.insert(mine);
            }
            previous = mine;
        }
        eraseOthers();
        for (const Node& node : wanted)
            if (m_edit.node(nodes.at(node.id)).name != node.name)
                m_edit.setName(nodes.at(node.id), node.name);
        if (!(m_edit.graph().signature() == wanted.signature()))
            m_edit.setSignature(wanted.signature());
    }

    /// The node of the model that one of `after` is. Of a graph made anew: what has the name and the call is
    /// taken for the same.
    NodeId keptNode(const NodeMap* known, const Node& node) const {
        const NodeMap::const_iterator found = known ? known->find(node.id) : NodeMap::const_iterator();
        if (known)
            return found != known->end() && m_edit.graph().contains(found->second) ? found->second : NodeId();
        const auto named = m_named.find(node.name);
        const bool isSame = named != m_named.end() && m_edit.node(named->second).opcode == node.opcode &&
                            m_edit.node(named->second).target == node.target;
        return isSame ? named->second : NodeId();
    }

    /// Moves the node behind `previous`, unless nothing but what goes stands between them.
    void place(NodeId node, NodeId previous) {
        NodeId next = previous ? m_edit.node(previous).next : m_edit.graph().first();
        while (next && next != node && (m_edit.node(next).isErased || !m_kept.contains(next)))
            next = m_edit.node(next).next;
        if (next == node)
            return;
        if (previous)
            m_edit.moveAfter(node, previous);
        else
            m_edit.moveBefore(node, m_edit.graph().first());
    }

    void change(NodeId id, const Node& wanted, Arguments args, Keywords kwargs,
                const std::optional<std::string>& type) {
        if (m_edit.node(id).opcode != wanted.opcode || !(m_edit.node(id).target == wanted.target))
            m_edit.setCallee(id, wanted.opcode, wanted.target);
        if (!(m_edit.node(id).args == args))
            m_edit.setArgs(id, std::move(args));
        if (!(m_edit.node(id).kwargs == kwargs))
            m_edit.setKwargs(id, std::move(kwargs));
        const Box<std::string>& before = m_edit.node(id).type;
        if (bool(before) != bool(type) || (type && *before != *type))
            m_edit.setType(id, type);
        replaceMeta(m_edit, id, wanted.meta);
    }

    void eraseOthers() {
        std::vector<NodeId> others;
        for (const Node& node : m_edit.graph())
            if (!m_kept.contains(node.id))
                others.push_back(node.id);
        for (auto it = others.rbegin(); it != others.rend(); ++it)
            m_edit.eraseNode(*it);
    }

    Edit& m_edit;
    const CopiedModel& m_copied;
    std::unordered_set<ModuleId> m_done;
    std::unordered_map<ModuleId, ModuleId> m_made;
    std::unordered_map<TensorId, TensorId> m_tensors;
    std::unordered_set<NodeId> m_kept; ///< of the graph that comes to be: the model's nodes that stay
    std::unordered_map<std::string, NodeId> m_named; ///< of the model's graph, where another takes its place
};

} // namespace

void replaceMeta(Edit& edit, NodeId node, const Meta& meta) {
    const Meta before = edit.node(node).meta;
    for (const auto& [key, value] : before.entries())
        if (!meta.find(key))
            edit.setMeta(node, key, SharedMeta());
    for (const auto& [key, value] : meta.entries())
        if (!(before.shared(key) == value))
            edit.setMeta(node, key, value);
}

void become(Edit& edit, const CopiedModel& copied) {
    Becoming(edit, copied).module(copied.after.root(), edit.model().root());
    edit.enter(edit.model().root());
}

} // namespace fx
