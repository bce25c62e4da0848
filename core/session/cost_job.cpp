// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/cost_job.h"

#include "core/open/run_inputs.h"
#include "core/session/make_service.h"
#include "core/session/value_wire.h"
#include "core/torch/bind/call.h"

#include <algorithm>
#include <set>

namespace fx {

auto fields(CostRequest& x) {
    return std::tie(x.run);
}
auto fields(Traffic& x) {
    return std::tie(x.read, x.written);
}
auto fields(OperatorCost& x) {
    return std::tie(x.name, x.flops, x.floating, x.other, x.dtype);
}
auto fields(NodeCost& x) {
    return std::tie(x.node, x.operators, x.flops, x.traffic, x.parameters, x.valueBytes, x.ownBytes,
                    x.liveBytes, x.hasRun);
}
auto fields(ScopeCost& x) {
    return std::tie(x.path, x.type, x.nodes, x.depth, x.flops, x.parameters, x.parameterBytes, x.peakBytes,
                    x.traffic, x.members);
}
auto fields(GraphCosts& x) {
    return std::tie(x.nodes, x.scopes, x.parameterSizes, x.inputBytes, x.parameterCount, x.parameterBytes,
                    x.peakBytes, x.peakNode, x.dependsOnData);
}

namespace {

GraphCosts countCosts(const ServiceModels& models, const CostRequest& request, Progress& progress) {
    const OpenedModel& opened = models.opened;
    RunSettings settings = settingsOf(request.run);
    settings.device = c10::Device(c10::kMeta);
    GraphCosts out;
    guarded([&] {
        out = analyzeCosts(opened.model, makeInputs(opened, specsOf(request.run, settings)), progress);
    });
    return out;
}

/// So that who reads it may look up what it names.
void requireWhole(const OpenedModel& opened, const GraphCosts& costs) {
    std::set<NodeId> nodes;
    bool isWhole = !costs.scopes.empty();
    for (const NodeCost& cost : costs.nodes) {
        nodes.insert(cost.node);
        isWhole &= opened.model.graph().contains(cost.node);
        isWhole &= std::ranges::all_of(cost.parameters,
                                       [&](TensorId id) { return costs.parameterSizes.contains(id); });
    }
    for (const ScopeCost& scope : costs.scopes)
        isWhole &= std::ranges::all_of(scope.members, [&](NodeId id) { return nodes.contains(id); });
    if (!isWhole)
        WireReader::fail();
}

} // namespace

const Service<CostRequest, GraphCosts> kCostService = [] {
    auto out = makeService<CostRequest, GraphCosts>("costs", countCosts);
    out.check = requireWhole;
    return out;
}();

} // namespace fx
