// SPDX-License-Identifier: GPL-3.0-or-later
// Records what each node of the graph costs: core/passes/costs/graph_costs.h as a pass.
#pragma once

#include "core/module/edit.h"

#include <optional>

namespace fx {

class PassOptions;
struct PassContext;

namespace meta {
/// Argument, a dict from "flops", "bytes_read", "bytes_written" and "live_bytes" to numbers.
inline constexpr std::string_view kCost = "cost";
} // namespace meta

/// One of those numbers; none for a node of which it is not known.
std::optional<int64_t> recordedCost(const Node& node, std::string_view what);

void runCosts(Edit& edit, const PassOptions&, PassContext& context);

} // namespace fx
