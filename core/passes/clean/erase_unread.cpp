// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/clean/erase_unread.h"

namespace fx {

void eraseUnread(Edit& edit, std::initializer_list<NodeId> nodes) {
    for (const NodeId node : nodes)
        if (node && edit.graph().contains(node) && edit.node(node).users.empty())
            edit.eraseNode(node);
}

size_t eraseUnreadWithInputs(Edit& edit, NodeId node, const std::function<bool(const Node&)>& mayErase) {
    if (!edit.graph().contains(node) || !edit.node(node).users.empty() ||
        edit.node(node).opcode == Opcode::Placeholder || (mayErase && !mayErase(edit.node(node))))
        return 0;
    std::vector<NodeId> read;
    for (const InputUse& use : edit.node(node).inputs)
        read.push_back(use.node);
    edit.eraseNode(node);
    size_t count = 1;
    for (const NodeId each : read)
        count += eraseUnreadWithInputs(edit, each, mayErase);
    return count;
}

} // namespace fx
