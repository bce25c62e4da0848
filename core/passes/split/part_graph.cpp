// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/split/part_graph.h"

#include "core/base/text.h"
#include "core/passes/split/held_state.h"

namespace fx {

namespace {

class PartGraph {
public:
    PartGraph(Edit& edit, const PartForm& form, const Part& part)
        : m_edit(edit), m_form(form), m_part(part), m_home(edit.module()), m_source(edit.graph()) {}

    ModuleId make() {
        const ModuleId made = holdState();
        m_edit.enter(made);
        if (m_form.areInputsFirst)
            addInputs();
        const std::function<Argument(NodeId)> inner = [&](NodeId read) { return innerOf(read); };
        for (const NodeId id : m_part.nodes)
            addNode(m_source.node(id), inner);
        Arguments results;
        for (const NodeId output : m_part.outputs)
            results.emplace_back(m_nodes.at(output));
        m_edit.output(results.size() == 1 && !m_form.returnsTuple ? results[0]
                                                                  : Argument(TupleValue{std::move(results)}));
        m_edit.enter(m_home);
        return made;
    }

private:
    /// The path in the part of what the node calls or reads.
    std::string pathOf(const Node& node) const {
        const std::string& path = node.target.name();
        return m_form.keepsPaths || node.opcode != Opcode::CallModule ? path : replaceAll(path, ".", "_");
    }

    ModuleId holdState() {
        HeldState state;
        const auto add = [&](const Node& node) { state.add(pathOf(node), node.target.name()); };
        for (const NodeId id : m_part.nodes)
            if (m_source.node(id).opcode == Opcode::CallModule)
                add(m_source.node(id));
        for (const NodeId input : m_part.inputs)
            if (isOwn(input))
                add(m_source.node(input));
        return state.makeModule(m_edit, m_edit.model().module(m_home).isTraining);
    }

    /// Modules after all that is given.
    void addInputs() {
        std::vector<NodeId> own;
        for (const NodeId input : m_part.inputs)
            isOwn(input) ? own.push_back(input) : void(addInput(input));
        for (const NodeId input : own)
            addInput(input);
    }

    bool isOwn(NodeId input) const { return isOwnRead(m_edit.model(), m_home, m_form, m_source.node(input)); }

    NodeId addInput(NodeId input) {
        const Node& node = m_source.node(input);
        const auto add = [&](Opcode opcode, Target target) {
            return m_nodes[input] = m_edit.createNode(opcode, target, {}, {}, std::nullopt,
                                                      node.type.toOptional(), node.meta);
        };
        if (isOwn(input))
            return add(Opcode::GetAttr, node.target);
        return add(Opcode::Placeholder,
                   m_form.keepsInputNames ? node.name : "arg_" + std::to_string(m_argumentCount++));
    }

    NodeId innerOf(NodeId read) {
        const auto known = m_nodes.find(read);
        return known != m_nodes.end() ? known->second : addInput(read);
    }

    void addNode(const Node& node, const std::function<Argument(NodeId)>& inner) {
        // What it reads comes before it.
        Arguments args = mapNodes(node.args, inner);
        Keywords kwargs = mapNodes(node.kwargs, inner);
        const std::string path = pathOf(node);
        const bool isRenamed = path != node.target.name();
        const NodeId made = m_edit.createNode(
            node.opcode, isRenamed ? Target(path) : node.target, std::move(args), std::move(kwargs),
            m_form.keepsNodeNames ? std::optional<std::string_view>(node.name) : std::nullopt,
            node.type.toOptional(), node.meta);
        if (isRenamed)
            m_edit.setMeta(made, meta::kSplitFrom, node.target.name());
        m_nodes[node.id] = made;
    }

    Edit& m_edit;
    const PartForm& m_form;
    const Part& m_part;
    ModuleId m_home;
    const Graph& m_source;
    NodeMap m_nodes;
    size_t m_argumentCount = 0;
};

} // namespace

bool isOwnRead(const Model& model, ModuleId home, const PartForm& form, const Node& node) {
    return node.opcode == Opcode::GetAttr &&
           (form.readsOwnAttributes || model.resolve(home, node.target.name()).module);
}

ModuleId makePart(Edit& edit, const PartForm& form, const Part& part) {
    return PartGraph(edit, form, part).make();
}

} // namespace fx
