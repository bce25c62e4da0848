// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/costs/cost_pass.h"

#include "core/base/text.h"
#include "core/interpret/structure.h"
#include "core/passes/costs/graph_costs.h"
#include "core/passes/pass.h"

#include <ATen/ATen.h>

namespace fx {

std::optional<int64_t> recordedCost(const Node& node, std::string_view what) {
    const auto* cost = node.meta.find<Argument>(meta::kCost);
    const Argument* value = cost ? dictEntry(*cost, what) : nullptr;
    const auto* number = value ? value->as<int64_t>() : nullptr;
    return number ? std::optional(*number) : std::nullopt;
}

void runCosts(Edit& edit, const PassOptions&, PassContext& context) {
    const GraphCosts costs = analyzeCosts(
        edit.model(),
        context.inputs ? onDevice(context.inputs(edit.model()), c10::Device(c10::kMeta)) : GraphInputs(),
        context.progress);
    for (const NodeCost& cost : costs.nodes) {
        if (!cost.hasRun)
            continue;
        DictValue entries;
        const auto add = [&](const char* name, uint64_t number) {
            entries.items.emplace_back(name, static_cast<int64_t>(number));
        };
        add("flops", cost.flops);
        add("bytes_read", cost.traffic.read);
        add("bytes_written", cost.traffic.written);
        add("live_bytes", cost.liveBytes);
        edit.setMeta(cost.node, meta::kCost, Argument(std::move(entries)));
    }
    if (costs.dependsOnData)
        context.warnings.push_back("sizes or branches depend on data: these are the costs of one case");
    const ScopeCost& total = costs.total();
    context.results.push_back(countText(total.flops) + " FLOPs, " + byteText(total.traffic.read) + " read, " +
                              byteText(total.traffic.written) + " written, at most " +
                              byteText(costs.peakBytes) + " of values at once");
}

} // namespace fx
