// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a model runs faster as a pass would leave it: measured, as only that decides.
#pragma once

#include "core/interpret/interpreter.h"
#include "core/module/edit.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fx {

/// Seconds that a run takes, of both in turns.
std::pair<double, double> wholeTimes(const Model& before, const Model& after, const GraphInputs& inputs,
                                     const RunSettings& settings);
/// Likewise of some nodes as a graph of their own, by one change of it and by another; over tensors of the
/// recorded sizes, as what they hold does not matter. None where those are not known.
std::optional<std::pair<double, double>> timesOfNodes(const Model& model, ModuleId module,
                                                      const std::vector<NodeId>& nodes,
                                                      const RunSettings& settings,
                                                      const std::function<void(Edit&)>& one,
                                                      const std::function<void(Edit&)>& other);
/// Whether the graph is faster with what `write` does, tried on a copy of the model. Tells it.
bool isFasterWith(const Edit& edit, const GraphInputs& inputs, const RunSettings& settings,
                  const std::function<void(Edit&)>& write, std::vector<std::string>& results);
/// Tells it.
bool isFaster(std::pair<double, double> times, std::vector<std::string>& results);

} // namespace fx
