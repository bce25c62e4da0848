// SPDX-License-Identifier: GPL-3.0-or-later
// What nodes and modules cost, as rows of a table: beside the counted numbers the time that a device is
// predicted to take, its place under the roof, and what was measured. For the window and the command line.
#pragma once

#include "core/analyze/device.h"

#include <map>
#include <optional>
#include <unordered_map>

namespace fx {

struct CostFigures {
    uint64_t flops = 0;
    Traffic traffic;                                ///< bytes
    uint64_t parameters = 0;                        ///< numbers in those that are read
    uint64_t liveBytes = 0;                         ///< of values that are there at once
    c10::ScalarType dtype = c10::ScalarType::Float; ///< in which it computes
    // Where a device was given.
    std::optional<Prediction> prediction;
    RooflinePoint roofline;
    std::optional<double> measured; ///< seconds

    /// How far the prediction is off, as a part of what was measured; none where one of them is not known.
    std::optional<double> predictionError() const;
    /// As of both together, one after the other. The place under the roof is left out.
    CostFigures& operator+=(const CostFigures& other);
};

using MeasuredSeconds = std::map<NodeId, double>;
using NodeFigures = std::unordered_map<NodeId, CostFigures>;

/// Of the root graph's nodes. `device`: null where nothing is to be predicted.
NodeFigures nodeFigures(const GraphCosts& costs, const Device* device, const MeasuredSeconds& measured = {});
/// Of a module, from those of its nodes.
CostFigures scopeFigures(const ScopeCost& scope, const NodeFigures& nodes, const Device* device);

/// "1.5 ms", "12 us".
std::string secondsText(double seconds);

} // namespace fx
