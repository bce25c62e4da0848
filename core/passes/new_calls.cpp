// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/new_calls.h"

#include "core/ir/dialect.h"
#include "core/module/scopes.h"
#include "core/passes/operator_calls.h"

namespace fx {

NewCalls::NewCalls(Edit& edit) : m_edit(edit), m_isOfOperators(isOfOperators(edit.graph())) {}

void NewCalls::finish(const std::vector<NodeId>& calls, ShapeRule rule) {
    for (const NodeId call : calls)
        placeInScope(call);
    if (m_isOfOperators)
        recordShapes(m_edit, calls, ShapeRule::OfCalls); // which decide what a call is bound to
    const std::vector<NodeId> all = m_isOfOperators ? callOperators(m_edit, calls) : calls;
    for (const NodeId call : all)
        placeInScope(call);
    recordShapes(m_edit, all, rule);
}

/// Gives the call the innermost scope around all calls that it reads and that read it: the scope of its
/// wires.
void NewCalls::placeInScope(NodeId call) {
    const Node& node = m_edit.node(call);
    if (node.meta.find<ModuleStack>(meta::kModuleStack))
        return;
    std::vector<ModuleStack> stacks;
    const auto take = [&](NodeId id) {
        const Node& other = m_edit.node(id);
        const auto* stack = other.meta.find<ModuleStack>(meta::kModuleStack);
        if (isCallNode(other) && stack)
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
