// SPDX-License-Identifier: GPL-3.0-or-later
// LSTMs and GRUs as the layers that they are made of.
#pragma once

#include "core/passes/fuse/layers.h"

#include <vector>

namespace fx {

/// A linear layer for each matrix of an LSTM or a GRU, in the order in which the function takes them, whether
/// the node calls a module, torch.lstm or torch.ops.aten.lstm.input; empty for what is none, and where the
/// function takes something else than weights that the graph reads.
std::vector<Layer> recurrentAt(const Model& model, ModuleId module, NodeId node);

} // namespace fx
