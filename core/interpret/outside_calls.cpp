// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/outside_calls.h"

#include "core/module/known_faults.h"
#include "core/torch/bind/call.h"

namespace fx {

std::vector<OutsideCall> outsideCalls(const Model& model) {
    std::vector<OutsideCall> out;
    for (const ModuleId id : graphsOf(model))
        for (const Node& node : model.graph(id)) {
            if (node.opcode != Opcode::CallFunction ||
                effectOfFunction(node.target) != OperatorEffect::Outside)
                continue;
            OutsideCall& call = out.emplace_back(OutsideCall{id, node.id, {}});
            const auto addText = [&](const Argument& part) {
                if (const auto* text = part.as<std::string>())
                    call.texts.push_back(*text);
            };
            for (const Argument& argument : node.args)
                forEachPart(argument, addText);
            for (const auto& [key, argument] : node.kwargs)
                forEachPart(argument, addText);
        }
    return out;
}

} // namespace fx
