// SPDX-License-Identifier: GPL-3.0-or-later
// A part of a graph as a model of its own, in which what the part reads are constants.
#pragma once

#include "core/module/model.h"
#include "core/python/value.h"

#include <unordered_map>
#include <vector>

namespace fx {

/// By nodes of the root graph.
using RecordedValues = std::unordered_map<NodeId, Value>;

/// The calls `kept` of the root graph, and those whose values cannot be written down (objects), with the
/// value of `end` as the result; of the output node what it returns. What they read beside are weights as
/// before and, for the rest, the recorded values: tensors as buffers, anything else as it is written. Modules
/// that nobody calls any more are gone.
Model cutGraph(const Model& model, const std::vector<NodeId>& kept, NodeId end, const RecordedValues& values);

} // namespace fx
