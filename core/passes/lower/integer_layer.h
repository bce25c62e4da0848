// SPDX-License-Identifier: GPL-3.0-or-later
// A layer of a quantized graph that oneDNN computes in integers, with what follows it.
#pragma once

#include "core/passes/clean/effects.h"
#include "core/passes/lower/convolution_settings.h"
#include "core/passes/lower/integer_values.h"

#include <unordered_map>

namespace fx {

struct IntegerLayer {
    NodeId node;
    TensorQuantization input;
    IntegerWeight weight;
    NodeId turn; ///< of a product: what turns its weight
    Argument bias;
    bool isConvolution = false;
    NodeId rounded;            ///< the value that its input was rounded from, where that may be read instead
    bool roundsItself = false; ///< whether LibTorch's kernels that round what they read take it
    ConvolutionSettings settings;
    int64_t groups = 1;
    NodeId sum, activation;
    std::string unary = "none", algorithm; ///< oneDNN's words for the activation
    std::vector<NodeId> dropped;           ///< a rounding between the layer and what goes into its call
    std::optional<TensorQuantization> accumulated; ///< the other operand of the sum, restored
    std::optional<TensorQuantization> result;      ///< none: it is left in float32

    NodeId last() const { return result ? result->node : activation ? activation : sum ? sum : node; }
};

class IntegerLayers {
public:
    IntegerLayers(const Model& model, ModuleId module)
        : m_model(model), m_module(module), m_effects(model, module) {}

    /// `why` is set where the node is such a layer but for something that oneDNN does not take.
    std::optional<IntegerLayer> at(NodeId id, std::string& why) const;
    /// Whether the integers are there when a node runs: a sum may have been written over them before.
    bool isThere(NodeId integers, NodeId at) const;
    /// From now on `by` writes its result over the integers.
    void overwrite(NodeId integers, NodeId by) { m_overwritten.emplace(integers, by); }

private:
    const Graph& graph() const { return m_model.graph(m_module); }
    bool takeOperands(const Node& node, IntegerLayer& layer) const;
    std::string obstacle(const Node& node, IntegerLayer& layer) const;
    bool takeSum(IntegerLayer& layer) const;
    void takeActivation(IntegerLayer& layer) const;
    void takeResult(IntegerLayer& layer) const;
    NodeId roundedValue(const IntegerLayer& layer) const;
    bool roundsItself(const IntegerLayer& layer) const;
    bool isOverwritable(const TensorQuantization& value, NodeId sum) const;
    NodeId onlyReader(NodeId node) const;
    std::vector<NodeId> roundingAfter(NodeId node) const;

    const Model& m_model;
    const ModuleId m_module;
    const Effects m_effects; ///< of the graph as it was
    std::unordered_map<NodeId, NodeId> m_overwritten;
};

} // namespace fx
