// SPDX-License-Identifier: GPL-3.0-or-later
// Quantization that is trained. Values and weights stay float32, but are rounded as integers would be, by
// ranges that follow what is seen, and gradients pass through. It is trained in Python; what comes of that is
// opened again, and becomes integers by what it holds.
//   before  w = get_attr[fc.weight]   y = linear(x, w)
//   after   x' = fake_quantization.x(x)   w' = fake_quantization.fc_weight(w)   y = linear(x', w')
// where each of the modules is a graph, fused_moving_avg_obs_fake_quant over buffers of its own, which have
// the names of torch.ao's FusedMovingAvgObsFakeQuantize.
#pragma once

#include "core/passes/quantize/quantize_graph.h"

namespace fx {

/// Gives how many weights are rounded; each value of the plan is.
size_t fakeQuantizeGraph(Edit& edit, const QuantizationPlan& plan);

bool hasFakeQuantization(const Model& model, ModuleId module);

/// Takes such calls out of the graph; what they rounded, with the ranges that training has left. None where
/// there are none. Throws Error where a range was never seen.
std::optional<QuantizationPlan> takeFakeQuantization(Edit& edit);

} // namespace fx
