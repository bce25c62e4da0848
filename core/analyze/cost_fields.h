// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of a row of costs with their keys, the same in CSV and JSON, of the window and of the command
// line.
#pragma once

#include "core/analyze/cost_table.h"
#include "core/io/json.h"

#include <utility>
#include <vector>

namespace fx {

/// flops, bytes_read, bytes_written, parameters, live_bytes, predicted_seconds, bound, intensity (FLOPs for
/// each byte), attainable_flops (in a second, at that intensity), measured_seconds, prediction_error. Null:
/// not known.
std::vector<std::pair<const char*, Json>> costFields(const CostFigures& figures);

} // namespace fx
