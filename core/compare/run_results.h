// SPDX-License-Identifier: GPL-3.0-or-later
// All that a run leaves where its caller sees it: what it gives, and the inputs and buffers that it has
// changed.
#pragma once

#include "core/interpret/interpreter.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fx {

using NamedResults = std::vector<std::pair<std::string, Value>>;

/// "x f32[5, 8], mask bool[5]".
std::string inputsText(const Model& model, const GraphInputs& inputs);

/// Runs the root graph on copies of the inputs, with the random numbers of seed 0 where the settings name
/// none. The names are those of ReferenceRun::results. Throws an Error where the run fails.
NamedResults resultsOfRun(const Model& model, const GraphInputs& inputs, RunSettings settings,
                          const std::vector<Observer*>& observers = {});

/// The names of all the model's buffers and parameters, as they are where a run has changed them.
std::set<std::string> stateNames(const Model& model);

} // namespace fx
