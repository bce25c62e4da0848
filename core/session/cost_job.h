// SPDX-License-Identifier: GPL-3.0-or-later
// What the nodes of an open model cost by their shapes (core/passes/costs/graph_costs.h), which
// calls its operators.
#pragma once

#include "core/passes/costs/graph_costs.h"
#include "core/session/service.h"

namespace fx {

struct CostRequest {
    RunRequest run; ///< of which the inputs are used, without their data
};

/// Throws what a run throws.
extern const Service<CostRequest, GraphCosts> kCostService;

} // namespace fx
