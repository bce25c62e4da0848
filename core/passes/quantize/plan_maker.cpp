// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/quantize/plan_maker.h"

#include <algorithm>

namespace fx {

namespace {

/// Of functions whose results lie between two numbers whatever they are given.
void takeFixedRange(QuantizedValue& value, const std::string& call) {
    const bool isSigned = call == "tanh";
    value.scheme = IntegerScheme::activations(false);
    value.scale = (isSigned ? 2.0 : 1.0) / 256;
    value.zeroPoint = isSigned ? 128 : 0;
}

} // namespace

QuantizationPlan PlanMaker::planOf(const Graph& graph, const std::vector<QuantizableUnit>& units,
                                   const Calibration* calibration) {
    QuantizationPlan plan;
    plan.units = units;
    plan.weights = m_weights;
    plan.isAten = isOfAten(graph);
    if (m_mode == QuantizationMode::WeightOnly)
        return plan;
    std::map<NodeId, QuantizedValue> values;
    for (const QuantizableUnit& unit : units) {
        for (const NodeId input : calibration ? calibration->tensorInputs(unit) : unit.inputs)
            values[input].readers.push_back(unit.node);
        if (m_mode == QuantizationMode::Static)
            values[unit.last].isForAll = true;
    }
    for (const QuantizableUnit& unit : units)
        if (unit.kind == UnitKind::Fixed)
            takeFixedRange(values[unit.last], unit.call);
    // What was quantized before stays as it is.
    std::erase_if(values, [&](const auto& entry) {
        const Node& node = graph.node(entry.first);
        return isRestoring(node) || std::ranges::any_of(node.users.toVector(), [&](NodeId user) {
                   return isQuantizing(graph.node(user));
               });
    });
    for (auto& [id, value] : values) {
        value.value = id;
        value.isDynamic = m_mode == QuantizationMode::Dynamic;
        if (!value.isDynamic && value.scale == 0)
            takeRange(value, *calibration);
        plan.values.push_back(std::move(value));
    }
    std::ranges::sort(plan.values, [&](const QuantizedValue& a, const QuantizedValue& b) {
        return graph.precedes(a.value, b.value);
    });
    return plan;
}

void PlanMaker::takeRange(QuantizedValue& value, const Calibration& calibration) {
    value.scheme = IntegerScheme::activations(m_isReduced);
    value.group = calibration.groupOf(value.value);
    const auto [at, isNew] = m_ranges.try_emplace(value.group);
    if (isNew) {
        const RangeObserver* seen = calibration.rangeOf(value.value);
        at->second = seen ? seen->range(value.scheme) : rangeOfNothing();
    }
    value.range = at->second;
    const QuantizationParameters found = parametersOf(value.range, value.scheme);
    value.scale = found.scale.item<double>();
    value.zeroPoint = found.zeroPoint.item<int64_t>();
}

} // namespace fx
