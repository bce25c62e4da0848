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
        const auto known = m_copied.nodes.find(after);
        NodeMap nodes; // of `after` to the model's
        std::unordered_set<NodeId> kept;
        const auto mapped = [&](NodeId id) -> Argument { return nodes.at(id); };
        NodeId previous;
        for (const Node& node : wanted) {
            NodeId mine;
            if (known != m_copied.nodes.end())
                if (const auto found = known->second.find(node.id);
                    found != known->second.end() && m_edit.graph().contains(found->second))
                    mine = found->second;
            if (!mine) { // a graph made anew: what has the name and the call is taken for the same
                const NodeId found = m_edit.graph().find(node.name);
                if (found && m_edit.node(found).opcode == node.opcode &&
                    m_edit.node(found).target == node.target && !isCounterpart(known, found))
                    mine = found;
            }
            if (mine && !kept.insert(mine).second)
                mine = NodeId();
            Arguments args = mapNodes(node.args, mapped);
            Keywords kwargs = mapNodes(node.kwargs, mapped);
            const std::optional<std::string> type = node.type ? std::optional(*node.type) : std::nullopt;
            if (!mine) {
                const auto make = [&] {
                    return m_edit.createNode(node.opcode, node.target, std::move(args), std::move(kwargs),
                                             node.name, type, node.meta);
                };
                if (previous) {
                    const Edit::InsertPoint point = m_edit.insertingAfter(previous);
                    mine = make();
                } else {
                    const Edit::InsertPoint point = m_edit.insertingBefore(NodeId());
                    mine = make();
                }
                kept.insert(mine);
            } else {
                place(mine, previous);
                change(mine, node, std::move(args), std::move(kwargs), type);
            }
            nodes[node.id] = mine;
            previous = mine;
        }
        eraseOthers(kept);
        for (const Node& node : wanted)
            if (m_edit.node(nodes.at(node.id)).name != node.name)
                m_edit.setName(nodes.at(node.id), node.name);
        if (!(m_edit.graph().signature() == wanted.signature()))
            m_edit.setSignature(wanted.signature());
    }

    bool isCounterpart(std::unordered_map<ModuleId, NodeMap>::const_iterator known, NodeId own) {
        if (known == m_copied.nodes.end())
            return false;
        if (m_counterparts.empty() || m_counterpartsOf != known->first) {
            m_counterparts.clear();
            m_counterpartsOf = known->first;
            for (const auto& [after, mine] : known->second)
                m_counterparts.insert(mine);
        }
        return m_counterparts.contains(own);
    }

    void place(NodeId node, NodeId previous) {
        const NodeId next = previous ? m_edit.node(previous).next : m_edit.graph().first();
        if (next == node)
            return;
        if (previous)
            m_edit.moveAfter(node, previous);
        else
            m_edit.moveBefore(node, next);
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
        const Meta old = m_edit.node(id).meta;
        for (const auto& [key, value] : old.entries())
            if (!wanted.meta.find(key))
                m_edit.setMeta(id, key, SharedMeta());
        for (const auto& [key, value] : wanted.meta.entries())
            if (!(old.shared(key) == value))
                m_edit.setMeta(id, key, value);
    }

    void eraseOthers(const std::unordered_set<NodeId>& kept) {
        std::vector<NodeId> others;
        for (const Node& node : m_edit.graph())
            if (!kept.contains(node.id))
                others.push_back(node.id);
        for (auto it = others.rbegin(); it != others.rend(); ++it)
            m_edit.eraseNode(*it);
    }

    Edit& m_edit;
    const CopiedModel& m_copied;
    std::unordered_set<ModuleId> m_done;
    std::unordered_map<ModuleId, ModuleId> m_made;
    std::unordered_map<TensorId, TensorId> m_tensors;
    std::unordered_set<NodeId> m_counterparts; ///< of the graph that comes to be
    ModuleId m_counterpartsOf;
};

} // namespace

void become(Edit& edit, const CopiedModel& copied) {
    Becoming(edit, copied).module(copied.after.root(), edit.model().root());
    edit.enter(edit.model().root());
}

} // namespace fx
