// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/module/counterparts.h"

namespace fx {

namespace {

bool isOfBackward(const Node& node) {
    const auto* tag = node.meta.find<std::string>(meta::kPartition);
    return tag && *tag == meta::kIsBackward;
}

const Argument* sequenceOf(const Node& node) {
    return node.meta.find<Argument>(meta::kSequence);
}

} // namespace

std::vector<Counterparts> counterpartsOf(const Model& model, ModuleId module, NodeId id) {
    std::vector<Counterparts> out;
    const Graph& graph = model.graph(module);
    const Node& node = graph.node(id);
    const auto* stages = node.meta.find<Argument>(meta::kStages);
    if (const auto* paths = stages ? stages->as<DictValue>() : nullptr)
        for (const auto& [path, names] : paths->items) {
            const auto* text = path.as<std::string>();
            const ModuleId other = text ? model.resolve(model.root(), *text).module : ModuleId();
            if (!other || !model.module(other).graph || !names.items())
                continue;
            Counterparts found{*text, other, {}};
            for (const Argument& name : *names.items())
                if (const auto* known = name.as<std::string>())
                    if (const NodeId counterpart = model.graph(other).find(*known))
                        found.nodes.push_back(counterpart);
            if (!found.nodes.empty())
                out.push_back(std::move(found));
        }
    if (const Argument* sequence = sequenceOf(node)) {
        const bool isBackward = isOfBackward(node);
        Counterparts found{isBackward ? "Forward" : "Backward", module, {}};
        for (const Node& other : graph)
            if (const Argument* its = sequenceOf(other);
                its && *its == *sequence && isOfBackward(other) != isBackward)
                found.nodes.push_back(other.id);
        if (!found.nodes.empty())
            out.push_back(std::move(found));
    }
    return out;
}

} // namespace fx
