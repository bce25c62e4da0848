// SPDX-License-Identifier: GPL-3.0-or-later
// What the nodes of an open model cost by their shapes (core/passes/costs/graph_costs.h), counted in a
// process of its own, as that calls its operators.
#pragma once

#include "core/passes/costs/graph_costs.h"
#include "core/session/worker_jobs.h"

namespace fx {

struct CostRequest {
    RunRequest run; ///< of which the inputs are used, without their data
};

/// Throws what a run throws.
GraphCosts countCosts(const OpenedModel& opened, const CostRequest& request, Progress& progress);
/// The same in a process of its own. Waits, as exportApart does.
GraphCosts countCostsApart(const OpenedModel& opened, const CostRequest& request, Progress& progress,
                           const WorkerOptions& options = {});

/// Throws an Error for what is no request.
CostRequest costRequestFrom(std::string_view bytes);
Message costsMessage(const GraphCosts& costs);
/// Throws an Error for what is none.
GraphCosts costsFrom(std::string_view bytes);

} // namespace fx
