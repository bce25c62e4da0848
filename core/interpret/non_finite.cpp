// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/non_finite.h"

#include "core/base/text.h"
#include "core/interpret/origin.h"

#include <algorithm>
#include <string_view>

namespace fx {

namespace {

constexpr std::string_view kMaskUsers[] = {"softmax",   "Softmax",     "scaled_dot_product",
                                           "Attention", "masked_fill", "where"};

/// Looks at the name of the function, method or operator, or at the class of the module.
bool usesMasks(const Model& model, ModuleId graph, const Node& node) {
    std::string name(node.target.functionName());
    if (node.opcode == Opcode::CallModule) {
        const ModuleId callee = model.resolve(graph, node.target.name()).module;
        name = callee ? model.module(callee).type : std::string();
    }
    return std::ranges::any_of(kMaskUsers,
                               [&](std::string_view part) { return name.find(part) != std::string::npos; });
}

} // namespace

std::string NonFiniteResult::text(const Model& model) const {
    std::string out =
        (isNan ? "NaN: first in " : "Inf: first in ") + model.graph(first.module).node(first.node).name;
    if (after)
        out += ", " + plural(after, "node") + " after it";
    return out;
}

std::optional<NonFiniteResult> nonFiniteResult(const Model& model, const HealthOfNode& healthOf) {
    const ModuleId root = model.root();
    const Graph& graph = model.graph(root);
    const NodeId output = graph.outputNode();
    if (!output)
        return std::nullopt;
    for (const bool Health::*kind : {&Health::hasNan, &Health::hasInf}) {
        const auto isSo = [&](NodeRef node) {
            const Health* health = healthOf(node);
            return health && health->*kind;
        };
        const NodeRef first = wayBack(model, {root, output}, isSo).back();
        if (first.node == output)
            continue;
        NonFiniteResult out{kind == &Health::hasNan, first, 0};
        for (const Node& node : graph)
            out.after += node.id != output && graph.precedes(first.node, node.id) && isSo({root, node.id});
        return out;
    }
    return std::nullopt;
}

std::set<NodeId> masksIn(const Model& model, ModuleId module, const HealthOfNode& healthOf) {
    const Graph& graph = model.graph(module);
    // `masks` also holds nodes that have yet to run, and would pass a mask on.
    std::set<NodeId> out, masks;
    for (NodeId at = graph.last(); at; at = graph.node(at).previous) {
        const Node& node = graph.node(at);
        const Health* health = healthOf({module, at});
        if (health && (health->hasNan || !health->hasInf))
            continue;
        const bool isUsedAsMask = !node.users.empty() && std::ranges::all_of(node.users, [&](NodeId user) {
            const Health* result = healthOf({module, user});
            return masks.contains(user) ||
                   (usesMasks(model, module, graph.node(user)) && (!result || result->isFinite()));
        });
        if (!isUsedAsMask)
            continue;
        masks.insert(at);
        if (health)
            out.insert(at);
    }
    return out;
}

} // namespace fx
