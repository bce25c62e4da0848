// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/module/counterparts.h"

namespace fx {

namespace {

bool isOfBackward(const Node& node) {
    const auto* tag = node.meta.find<std::string>(meta::kPartition);
    return tag && *tag == meta::kIsBackward;
}

const int64_t* sequenceOf(const Node& node) {
    const auto* value = node.meta.find<Argument>(meta::kSequence);
    return value ? value->as<int64_t>() : nullptr;
}

} // namespace

const CounterpartFinder::Sides& CounterpartFinder::sidesOf(int64_t wanted) const {
    if (m_bySequence.empty())
        for (const Node& node : m_model.graph(m_module))
            if (const int64_t* sequence = sequenceOf(node)) {
                Sides& sides = m_bySequence[*sequence];
                (isOfBackward(node) ? sides.backward : sides.forward).push_back(node.id);
            }
    return m_bySequence.at(wanted);
}

std::vector<Counterparts> CounterpartFinder::of(NodeId id) const {
    std::vector<Counterparts> out;
    const Model& model = m_model;
    const Node& node = model.graph(m_module).node(id);
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
    if (const int64_t* sequence = sequenceOf(node)) {
        const Sides& sides = sidesOf(*sequence);
        const bool isBackward = isOfBackward(node);
        const std::vector<NodeId>& others = isBackward ? sides.forward : sides.backward;
        if (!others.empty())
            out.push_back({isBackward ? "Forward" : "Backward", m_module, others});
    }
    return out;
}

} // namespace fx
