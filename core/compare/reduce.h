// SPDX-License-Identifier: GPL-3.0-or-later
// The smallest graph that still fails: calls are cut out of a model, and what they gave in the whole run
// takes their place as constants, as long as a condition holds for what is left.
#pragma once

#include "core/base/progress.h"
#include "core/interpret/graph_inputs.h"
#include "core/interpret/run_settings.h"
#include "core/module/model.h"

#include <optional>
#include <string>

namespace fx {

struct Reduction {
    Model failing;                ///< without inputs where all of them became constants
    std::optional<Model> passing; ///< the largest that was tried and does not fail
    size_t calls = 0;             ///< of the model's root graph
    size_t failingCalls = 0, passingCalls = 0;
    size_t tries = 0;
    std::string end; ///< the node whose value fails; empty: the result of the whole
};

/// `condition`: an expression over `out`, what a graph gives, and `error`, the message of its failure or ''.
/// The first node whose value meets it becomes the result. Throws an Error where the model does not fail, and
/// where it fails no more once its calls are run with what was recorded.
Reduction reduceModel(const Model& model, const GraphInputs& inputs, const RunSettings& settings,
                      const std::string& condition, Progress& progress);

} // namespace fx
