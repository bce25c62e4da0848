// SPDX-License-Identifier: GPL-3.0-or-later
// Puts a plan into a graph, in the form that torch calls reference: values become integers and at once
// float32 again, and calls compute between the two as they did. What an engine computes in integers, it
// finds by these nodes.
//   before  a = conv(x)   b = relu(a)
//   after   q = quantize_per_tensor(x, ...)   d = dequantize_per_tensor(q, ...)   a = conv(d)   b = relu(a)
//           q' = quantize_per_tensor(b, ...)   d' = dequantize_per_tensor(q', ...)
#pragma once

#include "core/passes/quantize/quantized_weights.h"
#include "core/passes/quantize/scheme.h"
#include "core/passes/quantize/units.h"

namespace fx {

struct QuantizedValue {
    NodeId value;
    double scale = 0;
    int64_t zeroPoint = 0;
    IntegerScheme scheme;
    NodeId group;                ///< values of one group have one range
    ValueRange range;            ///< what was seen; undefined where scale and zero point do not come of that
    bool isDynamic = false;      ///< scale and zero point are found in each run
    bool isForAll = false;       ///< a quantized call gives it: all that read it read the integers
    std::vector<NodeId> readers; ///< else these
    NodeId quantized, restored;  ///< the nodes, once it is done
};

struct QuantizationPlan {
    std::vector<QuantizableUnit> units;
    std::vector<QuantizedValue> values; ///< in graph order
    std::optional<WeightPlan> weights;
    bool isAten = false;
};

struct QuantizedGraph {
    std::vector<QuantizedValue> values;
    std::map<NodeId, NodeId> moved; ///< calls of modules that are calls of functions now
    WeightBytes weights;
    NodeId now(NodeId node) const {
        const auto found = moved.find(node);
        return found == moved.end() ? node : found->second;
    }
};

/// Whether the graph's calls are those of torch.export.
bool isOfAten(const Graph& graph);

/// The plan's layers, as calls of functions over weights that get_attr nodes read. `moved`: calls of modules
/// that are calls of functions now.
std::vector<Layer> inlinedLayers(Edit& edit, const QuantizationPlan& plan, std::map<NodeId, NodeId>& moved);

QuantizedGraph quantizeGraph(Edit& edit, const QuantizationPlan& plan);

} // namespace fx
