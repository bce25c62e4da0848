// SPDX-License-Identifier: GPL-3.0-or-later
// What a pass may ask for, of a model that is open: values for its inputs, files of examples, what a backend
// supports, a user's metric, a compiler.
#pragma once

#include "core/open/run_inputs.h"
#include "core/passes/pass.h"

namespace fx {

/// `model` must outlive it; its graph may be what the pass changes. Values that are made at random are made
/// with the seed of the settings. `open` and `packageFolders` are left to the caller.
PassContext passContext(const OpenedModel& model, InputSpecs specs, const RunSettings& settings,
                        Progress& progress);

} // namespace fx
