// SPDX-License-Identifier: GPL-3.0-or-later
// Which nodes run on an accelerator and which on the processor, in as few parts as there can be: torch.fx's
// FxNetAccNodesFinder, FxNetAccFusionsFinder and _SplitterBase.
#pragma once

#include "core/passes/split/operator_support.h"
#include "core/passes/split/parts.h"

namespace fx {

struct AcceleratorSettings {
    int64_t minAccModuleSize = 1; ///< smaller parts of the accelerator go to the processor
    bool skipsFusion = false;     ///< do not keep nodes together that pass other values than tensors
    bool allowsNonTensor = false; ///< other values than tensors may cross the border
};

/// All calls, in parts named _run_on_acc_0, _run_on_cpu_1. Adds to `refusals` the nodes that the border keeps
/// off the accelerator. The values of all nodes must be recorded.
std::vector<Part> acceleratorParts(const Graph& graph, Refusals& refusals,
                                   const AcceleratorSettings& settings);

} // namespace fx
