// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes that a rewrite has left without readers.
#pragma once

#include "core/module/edit.h"

#include <functional>
#include <initializer_list>

namespace fx {

/// Each of them that nobody reads, in this order.
void eraseUnread(Edit& edit, std::initializer_list<NodeId> nodes);
/// A node, and then what it reads, where nobody else reads that and `mayErase` allows it; null: it always
/// does. Returns how many.
size_t eraseUnreadWithInputs(Edit& edit, NodeId node, const std::function<bool(const Node&)>& mayErase = {});

} // namespace fx
