// SPDX-License-Identifier: GPL-3.0-or-later
// Which kernel a layer of a quantized graph is fastest by, at the sizes that a run has recorded, with what
// turns integers into float32 around it.
#pragma once

#include "core/interpret/run_settings.h"
#include "core/module/edit.h"
#include "core/passes/lower/integer_lowering.h"

namespace fx {

class IntegerTimes {
public:
    explicit IntegerTimes(const RunSettings& settings) : m_settings(settings) {}

    /// Layers that look alike are measured once.
    LayerKernel fastest(const Model& model, ModuleId module, const IntegerLayer& layer);

private:
    const RunSettings& m_settings;
    std::unordered_map<std::string, LayerKernel> m_known; ///< by what they call and give
};

/// Leaves the layer in float32, over a weight that is restored once and for all: `weight`, a get_attr node,
/// or one that is made. Gives it.
///   before  w = dequantize(q, s, z)   a = linear(d, w)
///   after   w = get_attr[fc.weight_restored]   a = linear(d, w)
NodeId keepInFloat(Edit& edit, const IntegerLayer& layer, NodeId weight);

} // namespace fx
