// SPDX-License-Identifier: GPL-3.0-or-later
// Where a graph turns values into integers and back, by the operators of torch.ops.quantized_decomposed.
#pragma once

#include "core/module/model.h"

#include <optional>

namespace fx {

/// A call of quantize_per_tensor or dequantize_per_tensor.
struct TensorQuantization {
    NodeId node;
    NodeId input;
    Argument scale, zeroPoint; ///< numbers, or nodes that give them in each run
    Argument least, most, dtype;

    bool isConstant() const { return !scale.node() && !zeroPoint.node(); }
    /// Of uint8, which is what oneDNN's calls give and take. Where the range is a smaller one, what they give
    /// is cut off at 255 all the same, which loses less.
    bool isByte() const;
    /// Whether the integers of both stand for the same numbers.
    bool isLike(const TensorQuantization& other) const;
};

std::optional<TensorQuantization> quantizationAt(const Graph& graph, NodeId id);
std::optional<TensorQuantization> restorationAt(const Graph& graph, NodeId id);

/// A weight that a graph holds as int8 and restores, symmetric, with a scale for each channel of the first
/// dimension or one for all.
struct IntegerWeight {
    NodeId restored;           ///< the call of dequantize_per_channel or dequantize_per_tensor
    NodeId integers;           ///< get_attr
    Argument scale, zeroPoint; ///< nodes
    at::ScalarType dtype;      ///< that it is restored in
    bool isByChannel = true;
};

std::optional<IntegerWeight> integerWeightAt(const Model& model, ModuleId module, NodeId id);

} // namespace fx
