// SPDX-License-Identifier: GPL-3.0-or-later
// What nn.LSTM and nn.GRU hand to torch.lstm and torch.gru.
#pragma once

#include "core/module/edit.h"

#include <string>
#include <vector>

namespace fx {

/// The names of its weights in the order in which the function takes them: of each layer and direction
/// weight_ih, weight_hh, bias_ih, bias_hh, weight_hr, as far as it has them.
std::vector<std::string> recurrentWeights(const Module& module);

/// Whether it is a call of torch.lstm, torch.gru or their operators of aten: (input, state, weights,
/// has_biases, num_layers, dropout, train, bidirectional, batch_first). Those for packed sequences take batch
/// sizes before the state, and are none.
bool isRecurrentCall(const Node& node);

/// Why the function cannot stand for the call: what reads its result has to take it apart, as an LSTM gives
/// (output, (h, c)) and the function (output, h, c), and the input has to be known to be a batch.
std::string recurrentObstacle(const Graph& graph, const Node& call, NodeId input);

/// The state before the first step, which the module makes where it is given none; what the function takes.
Argument zeroState(Edit& edit, NodeId call, NodeId input, const Module& module);

/// Of an LSTM: what reads its result reads that of the function from now on.
void takeFlatResult(Edit& edit, NodeId call);

} // namespace fx
