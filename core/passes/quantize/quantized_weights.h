// SPDX-License-Identifier: GPL-3.0-or-later
// Weights as small numbers, and the node that makes float32, or bfloat16, of them where a layer reads them.
//   before  w = get_attr[fc.weight]   y = linear(x, w)
//   after   q = get_attr[fc.weight]   s, z = get_attr[fc.weight_scale], ...[fc.weight_zero_point]
//           w = dequantize_per_channel(q, s, z, 0, -128, 127, int8)   y = linear(x, w)
#pragma once

#include "core/passes/fuse/layers.h"

#include <map>

namespace fx {

enum class WeightForm { Int8, Int4, Float16 };

struct WeightPlan {
    WeightForm form = WeightForm::Int8;
    bool isPerChannel = true;
    int64_t groupSize = 32; ///< of int4: so many numbers of a row have one scale
};

/// The dimension of the output's channels; none where the weight is quantized as a whole.
std::optional<int64_t> channelAxis(const Layer& layer, const WeightPlan& plan);
/// What a layer's weight loses by its form, in dB; infinite where it loses nothing.
double weightSqnr(const Model& model, ModuleId module, const Layer& layer, const WeightPlan& plan);
/// Why the weight cannot have the form; empty: it can.
std::string weightObstacle(const Model& model, ModuleId module, const Layer& layer, const WeightPlan& plan);

struct WeightBytes {
    uint64_t before = 0, after = 0;
};

/// Of layers whose weights get_attr nodes read.
WeightBytes quantizeWeights(Edit& edit, const std::vector<Layer>& layers, const WeightPlan& plan,
                            bool isAten);

} // namespace fx
