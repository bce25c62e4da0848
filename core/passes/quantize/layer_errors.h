// SPDX-License-Identifier: GPL-3.0-or-later
// Where the error of a quantized graph is made: what its units give, beside what they gave before, in three
// runs. Accumulated: each is given what the ones before it give. Isolated: each is given what it was given
// before quantization, so that the error is its own. Weights: isolated, and what it is given stays float32.
#pragma once

#include "core/passes/quantize/calibration.h"
#include "core/passes/quantize/quantize_graph.h"
#include "core/passes/quantize/sqnr.h"

namespace fx {

struct UnitError {
    std::optional<TensorError> accumulated, isolated, byWeights;
};

struct GraphError {
    std::vector<UnitError> units;      ///< of the plan, in its order
    std::map<NodeId, double> clipped;  ///< by value before quantization: the share of its numbers
    std::optional<TensorError> result; ///< of all tensors that the model gives, together
};

/// `model`: with the plan put into the graph of `module`. Runs it with the inputs of the first calibration
/// run; `areUnitsWanted`: else the result alone, by one run.
GraphError measureErrors(const Model& model, ModuleId module, const QuantizationPlan& plan,
                         const QuantizedGraph& graph, const Calibration& calibration,
                         const GraphInputs& inputs, const RunSettings& settings, Observer& progress,
                         bool areUnitsWanted);

} // namespace fx
