// SPDX-License-Identifier: GPL-3.0-or-later
// Linear layers whose weights alone are small numbers, as `quantize --mode weight-only` leaves them, for
// which LibTorch has a kernel that reads those as they are.
#pragma once

#include "core/passes/clean/effects.h"
#include "core/passes/lower/layer_operands.h"
#include "core/passes/quantize/quantized_weights.h"

namespace fx {

struct SmallWeight {
    WeightForm form = WeightForm::Int8;
    NodeId restored;       ///< the call that makes a weight of it
    NodeId numbers, scale; ///< get_attr nodes
    int64_t groupSize = 0; ///< of int4
    bool isByChannel = true;
};

struct SmallWeightLayer {
    NodeId node;
    LayerOperands operands;
    SmallWeight weight;
    c10::ScalarType dtype = c10::kFloat; ///< of the input
    std::vector<int64_t> inputSizes;
    std::vector<Dimension> weightSizes;
    bool isContiguous = true; ///< the input

    /// Whether two layers differ in nothing but their numbers.
    bool isLike(const SmallWeightLayer& other) const;
};

/// Finds them in a graph whose values were recorded in a run (ShapeProp).
class SmallWeightLayers {
public:
    SmallWeightLayers(const Model& model, ModuleId module)
        : m_model(model), m_module(module), m_effects(model, module) {}

    /// `why` is set where the layer has such a weight, and no kernel reads it.
    std::optional<SmallWeightLayer> at(NodeId id, std::string& why) const;

private:
    std::string takeInput(SmallWeightLayer& layer) const;

    const Model& m_model;
    const ModuleId m_module;
    const Effects m_effects;
};

/// What the node makes a weight of; none where that is no small numbers.
std::optional<SmallWeight> smallWeightAt(const Model& model, ModuleId module, NodeId node);

} // namespace fx
