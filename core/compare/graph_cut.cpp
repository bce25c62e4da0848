// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/graph_cut.h"

#include "core/fxpython/python_names.h"
#include "core/interpret/structure.h"
#include "core/module/edit.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <set>

namespace fx {

namespace {

class Cutter {
public:
    Cutter(Model& model, const RecordedValues& values) : m_edit(model), m_values(values) {}

    void cut(const std::set<NodeId>& kept, NodeId end);

private:
    /// A recorded value as an argument; none for what has no text.
    std::optional<Argument> constant(const std::string& name, const Value& value);
    void replaceByConstant(NodeId id);
    void eraseUnread(const std::set<NodeId>& kept, NodeId output);

    Edit m_edit;
    const RecordedValues& m_values;
};

bool canBeWritten(const Value& value) {
    return std::ranges::all_of(flattened(value),
                               [](const Value& leaf) {
                                   return leaf.isTensor() || leaf.isNone() || leaf.isBool() || leaf.isInt() ||
                                          leaf.isDouble() || leaf.isString();
                               }) &&
           !value.as<DictObject>();
}

std::optional<Argument> Cutter::constant(const std::string& name, const Value& value) {
    if (value.isTensor()) {
        std::string path = "_value_" + name;
        while (m_edit.model().resolve(m_edit.module(), path))
            path += '_';
        m_edit.setTensor(path, m_edit.createTensor(TensorSlot(value.data().toTensor().detach())),
                         TensorRole::Buffer);
        return Argument(m_edit.getAttr(path));
    }
    const std::optional<Values> items = itemsOf(value);
    if (!items)
        return plainArgument(value);
    TupleValue out;
    for (size_t i = 0; i < items->size(); ++i)
        if (std::optional<Argument> item = constant(name + '_' + std::to_string(i), (*items)[i]))
            out.items.push_back(std::move(*item));
        else
            return std::nullopt;
    return Argument(std::move(out));
}

void Cutter::replaceByConstant(NodeId id) {
    const Node& node = m_edit.node(id);
    std::optional<Argument> fresh;
    {
        const auto here = m_edit.insertingBefore(id);
        fresh = constant(node.name, m_values.at(id));
    }
    if (!fresh)
        return;
    std::vector<NodeId> users;
    for (const NodeId user : node.users)
        users.push_back(user);
    const auto map = [&](NodeId read) { return read == id ? *fresh : Argument(read); };
    for (const NodeId user : users) {
        m_edit.setArgs(user, mapNodes(m_edit.node(user).args, map));
        m_edit.setKwargs(user, mapNodes(m_edit.node(user).kwargs, map));
    }
}

void Cutter::eraseUnread(const std::set<NodeId>& kept, NodeId output) {
    std::vector<NodeId> all;
    for (const Node& node : m_edit.graph())
        all.push_back(node.id);
    for (size_t i = all.size(); i-- > 0;)
        if (all[i] != output && !kept.contains(all[i]) && m_edit.node(all[i]).users.empty())
            m_edit.eraseNode(all[i]);
}

void Cutter::cut(const std::set<NodeId>& kept, NodeId end) {
    std::vector<NodeId> others;
    for (const Node& node : m_edit.graph())
        if (node.opcode != Opcode::GetAttr && node.opcode != Opcode::Output && !node.users.empty() &&
            !kept.contains(node.id) && m_values.contains(node.id) && canBeWritten(m_values.at(node.id)))
            others.push_back(node.id);
    for (const NodeId id : others)
        replaceByConstant(id);
    NodeId output = m_edit.graph().outputNode();
    if (end != output) {
        if (output)
            m_edit.eraseNode(output);
        // What comes after it is not part of it, even where it would write into what was read.
        output = m_edit.output(end);
    }
    eraseUnread(kept, output);
    m_edit.setSignature(std::nullopt);
    m_edit.deleteAllUnusedSubmodules();
    m_edit.finish();
}

} // namespace

Model cutGraph(const Model& model, const std::vector<NodeId>& kept, NodeId end,
               const RecordedValues& values) {
    Model out = model;
    Cutter(out, values).cut({kept.begin(), kept.end()}, end);
    return out;
}

} // namespace fx
