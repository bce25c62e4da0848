// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/outside_calls.h"

#include "core/torch/call.h"

namespace fx {

namespace {

void addTexts(const Argument& argument, std::vector<std::string>& out) {
    if (const auto* text = argument.as<std::string>())
        out.push_back(*text);
    else if (const Arguments* items = argument.items())
        for (const Argument& item : *items)
            addTexts(item, out);
}

} // namespace

std::vector<OutsideCall> outsideCalls(const Model& model) {
    std::vector<OutsideCall> out;
    model.forEachModule(model.root(), [&](ModuleId id, const std::string&) {
        if (!model.module(id).graph)
            return;
        for (const Node& node : model.graph(id)) {
            if (node.opcode != Opcode::CallFunction || effectOfFunction(node.target) != OperatorEffect::Outside)
                continue;
            OutsideCall& call = out.emplace_back(OutsideCall{id, node.id, {}});
            for (const Argument& argument : node.args)
                addTexts(argument, call.texts);
            for (const auto& [key, argument] : node.kwargs)
                addTexts(argument, call.texts);
        }
    });
    return out;
}

} // namespace fx
