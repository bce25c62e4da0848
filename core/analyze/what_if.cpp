// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analyze/what_if.h"

#include "core/analyze/cost_table.h"
#include "core/base/error.h"
#include "core/base/text.h"

#include <algorithm>

namespace fx {

namespace {

/// All that the nodes compute as one operator: of their traffic what stays between them is gone. What a view
/// is read for stays, as the view does no work.
OperatorCost fused(const Graph& graph, const std::vector<const NodeCost*>& costs) {
    OperatorCost out;
    std::set<NodeId> working;
    for (const NodeCost* cost : costs) {
        if (cost->traffic.total() > 0)
            working.insert(cost->node);
        for (const OperatorCost& one : cost->operators) {
            out.flops += one.flops;
            out.floating += one.floating;
            out.other += one.other;
            if (out.dtype == c10::ScalarType::Undefined || one.flops > 0)
                out.dtype = one.dtype;
        }
    }
    const auto take = [](uint64_t& from, uint64_t bytes) { from -= std::min(from, bytes); };
    for (const NodeCost* cost : costs) {
        if (!working.contains(cost->node))
            continue;
        const UserList& users = graph.node(cost->node).users;
        const auto inside = static_cast<uint64_t>(
            std::ranges::count_if(users, [&](NodeId user) { return working.contains(user); }));
        take(out.floating.read, inside * cost->valueBytes);
        if (inside == users.size() && inside > 0)
            take(out.floating.written, cost->ownBytes);
    }
    return out;
}

} // namespace

WhatIfResult askWhatIf(const Graph& graph, const GraphCosts& costs, const Device& device,
                       const WhatIf& question) {
    WhatIfResult out;
    std::vector<const NodeCost*> chosen;
    for (const NodeCost& cost : costs.nodes) {
        const Prediction before = predict(device, cost);
        out.total += before.seconds;
        if (!question.nodes.empty() && !question.nodes.contains(cost.node))
            continue;
        chosen.push_back(&cost);
        out.before += before;
        out.bytes += static_cast<double>(cost.traffic.total());
    }
    const Device& where = question.device ? *question.device : device;
    if (question.areFused) {
        const OperatorCost one = fused(graph, chosen);
        out.after = predict(where, one, question.dtype);
        out.bytesAfter = bytesOf(one, question.dtype);
    } else {
        for (const NodeCost* cost : chosen) {
            out.after += predict(where, *cost, question.dtype);
            for (const OperatorCost& one : cost->operators)
                out.bytesAfter += bytesOf(one, question.dtype);
        }
    }
    out.totalAfter = out.total - out.before.seconds + out.after.seconds;
    return out;
}

std::string whatIfText(const WhatIfResult& result) {
    const auto bytes = [](double number) { return byteText(static_cast<uint64_t>(number)); };
    return secondsText(result.before.seconds) + " become " + secondsText(result.after.seconds) + ", " +
           bytes(result.bytes) + " become " + bytes(result.bytesAfter) + "; the whole " +
           secondsText(result.total) + " becomes " + secondsText(result.totalAfter);
}

std::set<NodeId> namedNodes(const Graph& graph, const GraphCosts& costs,
                            const std::vector<std::string>& words) {
    std::set<NodeId> out;
    for (const std::string& word : words) {
        const auto scope = std::ranges::find(costs.scopes, word, &ScopeCost::path);
        if (const NodeId node = graph.find(word))
            out.insert(node);
        else if (scope != costs.scopes.end() && !word.empty())
            out.insert(scope->members.begin(), scope->members.end());
        else
            throw Error("'" + word + "'", "is neither a node of the graph nor a module in it")
                .hint("fxscope analyze MODEL --by scope lists the modules");
    }
    return out;
}

} // namespace fx
