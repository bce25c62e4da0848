// SPDX-License-Identifier: GPL-3.0-or-later
// What single nodes give, by shape and dtype alone, from what is recorded of the values that they read.
#pragma once

#include "core/module/model.h"
#include "core/python/value.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace fx {

/// Gives a value like the one that is recorded of a node: a tensor on the device meta, a number. None where
/// nothing is recorded.
std::optional<Value> valueOnMeta(const Model& model, ModuleId module, const Node& node);

struct InferredShapes {
    std::unordered_map<NodeId, ValueMeta> values; ///< of the nodes for which they are known now
    /// The first node that cannot take what it reads, and why; no node: all of those that could be tried can.
    NodeId faulty;
    std::string fault;
};

/// Runs each of the nodes of the module's graph once, in the order given, on the device meta. A node is left
/// out where nothing is recorded of what it reads, or where its result depends on data. Symbolic sizes take
/// their hints.
InferredShapes inferShapes(const Model& model, ModuleId module, const std::vector<NodeId>& nodes);

} // namespace fx
