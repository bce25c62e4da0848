// SPDX-License-Identifier: GPL-3.0-or-later
// What a split would change: a call that writes into an argument comes before what came before it. torch.fx
// does not look.
#pragma once

#include "core/passes/split/parts.h"

namespace fx {

/// Names of such calls, where the parts run in this order one after the other.
std::vector<std::string> movedWrites(const Graph& graph, const std::vector<Part>& parts,
                                     const std::vector<size_t>& order);
/// The same where each part runs in the place of its last node, between those that are in none.
std::vector<std::string> movedWrites(const Graph& graph, const std::vector<Part>& parts);

} // namespace fx
