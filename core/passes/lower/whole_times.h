// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a model runs faster as a pass would leave it: measured, as only that decides.
#pragma once

#include "core/interpret/interpreter.h"

#include <string>
#include <utility>
#include <vector>

namespace fx {

/// Seconds that a run takes, of both in turns.
std::pair<double, double> wholeTimes(const Model& before, const Model& after, const GraphInputs& inputs,
                                     const RunSettings& settings);
/// Tells it.
bool isFaster(std::pair<double, double> times, std::vector<std::string>& results);

} // namespace fx
