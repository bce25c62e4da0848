// SPDX-License-Identifier: GPL-3.0-or-later
// What a split would change: calls that write into memory, draw random numbers or do something else beside
// computing come at another time, seen from each other and from who reads that memory. torch.fx does not
// look.
#pragma once

#include "core/passes/split/parts.h"

namespace fx {

/// Names of such calls, where the parts run in this order one after the other.
std::vector<std::string> movedEffects(const Model& model, ModuleId module, const std::vector<Part>& parts,
                                      const std::vector<size_t>& order);
/// The same where each part runs in the place of its last node, between those that are in none.
std::vector<std::string> movedEffects(const Model& model, ModuleId module, const std::vector<Part>& parts);
/// The same where all nodes run in this order.
std::vector<std::string> movedEffects(const Model& model, ModuleId module, const std::vector<NodeId>& order);

} // namespace fx
