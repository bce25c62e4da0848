// SPDX-License-Identifier: GPL-3.0-or-later
// Which tensors of a model a run may write into, found from its graphs without running them. Errs on the side
// of too many: a run takes copies of them.
#pragma once

#include "core/module/model.h"

#include <set>
#include <vector>

namespace fx {

std::set<TensorId> writtenTensors(const Model& model);

/// The inputs that a call of a function or method may write into. What a called module does is not told.
std::vector<NodeId> writtenInputs(const Node& node);
/// The tensors of a module without a graph that its own call may write into: statistics and the like;
/// parameters where the class is not torch's, or looks up rows that it shrinks.
std::vector<NamedTensor> writtenByItself(const Module& module);
/// Whether the result of a call may share memory with what it is given.
bool mayShareMemory(const Node& node);

} // namespace fx
