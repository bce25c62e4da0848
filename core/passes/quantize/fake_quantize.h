// SPDX-License-Identifier: GPL-3.0-or-later
// Quantization that is trained. Values and weights stay float32, but are rounded as integers would be, by
// ranges that follow what is seen, and gradients pass through. It is trained in Python; what comes of that is
// opened again, and becomes integers by what it holds.
//   before  w = get_attr[fc.weight]   y = linear(x, w)
//   after   x' = fake_quantization.x(x)   w' = fake_quantization.fc_weight(w)   y = linear(x', w')
// where each of the modules is a graph, fused_moving_avg_obs_fake_quant over buffers of its own, which have
// the names of torch.ao's FusedMovingAvgObsFakeQuantize.
// Such modules may also observe alone, as those that torch.ao's prepare puts in: then the model computes what
// it did, runs in Python find the ranges, and what comes of that becomes integers in the same way. Weights,
// which stay as they are then, have such modules only to be known by.
#pragma once

#include "core/passes/quantize/quantize_graph.h"

namespace fx {

enum class FakeQuantization { Rounds, Observes };

/// Gives the line that tells of it.
std::string fakeQuantizeGraph(Edit& edit, const QuantizationPlan& plan, FakeQuantization what);

bool hasFakeQuantization(const Model& model, ModuleId module);

/// Takes such calls out of the graph; what they rounded, with the ranges that training has left. None where
/// there are none. Throws Error where a range was never seen.
std::optional<QuantizationPlan> takeFakeQuantization(Edit& edit);

} // namespace fx
