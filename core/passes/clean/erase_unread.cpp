// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/clean/erase_unread.h"

namespace fx {

void eraseUnread(Edit& edit, std::initializer_list<NodeId> nodes) {
    for (const NodeId node : nodes)
        if (node && edit.graph().contains(node) && edit.node(node).users.empty())
            edit.eraseNode(node);
}

void eraseUnreadWithInputs(Edit& edit, NodeId node) {
    if (!edit.graph().contains(node) || !edit.node(node).users.empty() ||
        edit.node(node).opcode == Opcode::Placeholder)
        return;
    std::vector<NodeId> read;
    for (const InputUse& use : edit.node(node).inputs)
        read.push_back(use.node);
    edit.eraseNode(node);
    for (const NodeId each : read)
        eraseUnreadWithInputs(edit, each);
}

} // namespace fx
