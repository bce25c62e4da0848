// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/dead_code.h"

#include "core/module/lint.h"
#include "core/torch/bind/purity.h"

#include <unordered_set>

namespace fx {

bool removeDeadCode(Edit& edit) {
    const ModuleId module = edit.module();
    requireSound(edit.model(), module);
    bool hasChanged = false;
    // Backwards, so that what only a removed node read is unread when its turn comes.
    for (NodeId id = edit.graph().last(); id;) {
        const Node& node = edit.node(id);
        const NodeId previous = node.previous;
        if (node.users.empty() && !isImpure(edit.model(), module, node)) {
            edit.eraseNode(id);
            hasChanged = true;
        }
        id = previous;
    }
    if (edit.model().module(module).children.empty())
        return hasChanged;
    std::unordered_set<Target> nested;
    for (NodeId id : edit.graph().findNodes(Opcode::GetAttr))
        nested.insert(edit.node(id).target);
    for (const NamedModule& child : std::vector<NamedModule>(edit.model().module(module).children)) {
        if (!nested.contains(child.name) || !edit.model().module(child.module).graph)
            continue;
        edit.enter(child.module);
        hasChanged |= removeDeadCode(edit);
    }
    edit.enter(module);
    return hasChanged;
}

void runDeadCode(Edit& edit, const PassOptions&, PassContext&) {
    removeDeadCode(edit);
}

} // namespace fx
