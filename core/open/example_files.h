// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs of many runs, from files and generators: what calibration sees.
#pragma once

#include "core/open/run_inputs.h"

#include <functional>

namespace fx {

/// Calls `visit` with what the file holds for the inputs of the model, or each file of the folder that has
/// one of the endings that inputs have, in the order of their names; of FILE.py:NAME with each that it
/// yields. Other specs hold for all of them. Throws an Error for a folder without such files.
void forEachExample(const OpenedModel& model, const InputSpecs& specs, const std::string& path,
                    const std::function<void(const GraphInputs&)>& visit);

} // namespace fx
