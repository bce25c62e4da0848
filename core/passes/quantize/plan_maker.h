// SPDX-License-Identifier: GPL-3.0-or-later
// Which values of a graph become integers, and by which scale.
#pragma once

#include "core/passes/quantize/calibration.h"
#include "core/passes/quantize/quantize_graph.h"

#include <map>
#include <vector>

namespace fx {

enum class QuantizationMode { Static, Dynamic, WeightOnly };

class PlanMaker {
public:
    /// `isReduced`: values have 7 of the 8 bits.
    PlanMaker(QuantizationMode mode, const WeightPlan& weights, bool isReduced)
        : m_mode(mode), m_weights(weights), m_isReduced(isReduced) {}

    /// `calibration`: of this graph, always the same; may be null unless ranges are static.
    QuantizationPlan planOf(const Graph& graph, const std::vector<QuantizableUnit>& units,
                            const Calibration* calibration);

private:
    void takeRange(QuantizedValue& value, const Calibration& calibration);

    QuantizationMode m_mode;
    WeightPlan m_weights;
    bool m_isReduced;
    std::map<NodeId, ValueRange> m_ranges; ///< by group: a search is no small work
};

} // namespace fx
