// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analyze/cost_table.h"

#include <algorithm>
#include <cstdio>

namespace fx {

namespace {

c10::ScalarType computedIn(const NodeCost& cost) {
    const auto found =
        std::ranges::find_if(cost.operators, [](const OperatorCost& one) { return one.flops > 0; });
    return found == cost.operators.end() ? c10::ScalarType::Float : found->dtype;
}

} // namespace

std::optional<double> CostFigures::predictionError() const {
    if (!prediction || !measured || *measured <= 0)
        return std::nullopt;
    return (prediction->seconds - *measured) / *measured;
}

CostFigures& CostFigures::operator+=(const CostFigures& other) {
    if (other.flops > 0)
        dtype = other.dtype;
    flops += other.flops;
    traffic += other.traffic;
    parameters += other.parameters;
    liveBytes = std::max(liveBytes, other.liveBytes);
    if (other.prediction)
        prediction = prediction ? * prediction += *other.prediction : *other.prediction;
    if (other.measured)
        measured = measured.value_or(0) + *other.measured;
    return *this;
}

NodeFigures nodeFigures(const GraphCosts& costs, const Device* device, const MeasuredSeconds& measured) {
    NodeFigures out;
    for (const NodeCost& cost : costs.nodes) {
        CostFigures& figures = out[cost.node];
        figures.flops = cost.flops;
        figures.traffic = cost.traffic;
        figures.liveBytes = cost.liveBytes;
        figures.dtype = computedIn(cost);
        for (const TensorId id : cost.parameters)
            figures.parameters += costs.parameterSizes.at(id);
        if (device) {
            figures.prediction = predict(*device, cost);
            figures.roofline = rooflinePoint(*device, cost.flops, cost.traffic.total(), figures.dtype);
        }
        if (const auto found = measured.find(cost.node); found != measured.end())
            figures.measured = found->second;
    }
    return out;
}

CostFigures scopeFigures(const ScopeCost& scope, const NodeFigures& nodes, const Device* device) {
    CostFigures out;
    if (device)
        out.prediction.emplace();
    for (const NodeId node : scope.members)
        out += nodes.at(node);
    out.parameters = scope.parameters; // one that several nodes read counts once
    out.liveBytes = scope.peakBytes;
    if (device)
        out.roofline = rooflinePoint(*device, out.flops, out.traffic.total(), out.dtype);
    return out;
}

std::string secondsText(double seconds) {
    char out[40];
    const double number = seconds >= 1 ? seconds : seconds >= 1e-3 ? seconds * 1e3 : seconds * 1e6;
    std::snprintf(out, sizeof out, "%.3g %s", number, seconds >= 1 ? "s" : seconds >= 1e-3 ? "ms" : "us");
    return out;
}

} // namespace fx
