// SPDX-License-Identifier: GPL-3.0-or-later
// `fxscope run --grad`: the gradient of a loss for each value and parameter, as a table and as a file.
#pragma once

#include "core/interpret/gradients.h"
#include "core/io/opened_model.h"

#include <iosfwd>
#include <map>
#include <string>

namespace fx::cli {

struct RunGradients {
    Value result; ///< of the run
    std::string loss;
    std::vector<GradientRecord> records;
    std::map<NodeRef, Value> nodes;
    std::map<TensorId, Value> parameters;
    std::optional<BackwardFault> fault;
};

/// Runs the model in grad mode and differentiates. `loss`: an expression over the values, empty for the first
/// floating output.
RunGradients runWithGradients(const OpenedModel& opened, GraphInputs inputs, RunSettings settings,
                              const std::string& loss);
void printGradients(const RunGradients& gradients, const Model& model, std::ostream& out);
/// {"loss": TEXT, "nodes": {NAME: GRADIENT}, "parameters": {PATH: GRADIENT}}; nodes of nested graphs have
/// their graph's path before their name.
void saveGradients(const RunGradients& gradients, const Model& model, const std::string& path);
/// Throws an Error where a gradient is not finite.
void requireFinite(const RunGradients& gradients, const Model& model);

} // namespace fx::cli
