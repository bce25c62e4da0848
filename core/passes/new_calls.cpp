// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/new_calls.h"

#include "core/base/error.h"
#include "core/interpret/infer_shapes.h"
#include "core/ir/dependents.h"
#include "core/ir/dialect.h"
#include "core/module/scopes.h"
#include "core/passes/operator_calls.h"

namespace fx {

void recordShapes(Edit& edit, const std::vector<NodeId>& calls, ShapeRule rule) {
    const InferredShapes found = inferShapes(
        edit.model(), edit.module(), rule == ShapeRule::OfCalls ? calls : dependentsOf(edit.graph(), calls));
    if (found.faulty && rule == ShapeRule::Checked)
        throw Error("node '" + edit.node(found.faulty).name + "'",
                    "cannot take what it would read: " + found.fault.substr(0, found.fault.find('\n')));
    for (const auto& [node, value] : found.values) {
        const ValueMeta* known = knownValue(edit.node(node).meta);
        if (!known || !(*known == value))
            edit.setMeta(node, meta::kTensorMeta, MetaValue(value));
    }
}

NewCalls::NewCalls(Edit& edit) : m_edit(edit), m_isOfOperators(isOfOperators(edit.graph())) {}

void NewCalls::finish(const std::vector<NodeId>& calls, ShapeRule rule) {
    for (const NodeId call : calls)
        placeInScope(call);
    std::vector<NodeId> all;
    for (const NodeId call : calls) {
        if (m_isOfOperators)
            for (const NodeId made : callOperators(m_edit, {call})) {
                placeInScope(made);
                all.push_back(made);
            }
        all.push_back(call);
        // What comes next is bound by the kind of this value.
        if (m_isOfOperators)
            recordShapes(m_edit, {call}, ShapeRule::OfCalls);
    }
    recordShapes(m_edit, all, rule);
}

/// The innermost scope around all that it reads and all that reads it: that of the wire which it is put into.
void NewCalls::placeInScope(NodeId call) {
    const Node& node = m_edit.node(call);
    if (node.meta.find<ModuleStack>(meta::kModuleStack))
        return;
    std::vector<ModuleStack> stacks;
    const auto take = [&](NodeId id) {
        const Node& other = m_edit.node(id);
        const bool isCall = other.opcode != Opcode::Placeholder && other.opcode != Opcode::GetAttr &&
                            other.opcode != Opcode::Output;
        const auto* stack = other.meta.find<ModuleStack>(meta::kModuleStack);
        if (isCall && stack)
            stacks.push_back(*stack);
    };
    for (const InputUse& use : node.inputs)
        take(use.node);
    for (const NodeId user : node.users)
        take(user);
    if (stacks.empty())
        return;
    if (const ModuleStack stack = commonStack(stacks); !(stack == ModuleStack()))
        m_edit.setMeta(call, meta::kModuleStack, MetaValue(stack));
}

} // namespace fx
