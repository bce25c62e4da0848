// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/call_effects.h"

#include "core/interpret/written_tensors.h"
#include "core/torch/bind/call_facts.h"
#include "core/trace/recorded_hooks.h"

#include <algorithm>
#include <string_view>

namespace fx {

namespace {

bool isSet(const Module& module, std::string_view name) {
    const Argument* value = module.value(std::string(name));
    return value && !value->isNone() && !(value->as<bool>() && !*value->as<bool>());
}

/// True if a module that is called by itself may hold something else after the call.
bool keepsState(const Model& model, ModuleId called) {
    bool found = false;
    model.forEachModule(called, [&](ModuleId id, const std::string&) {
        const Module& module = model.module(id);
        found |= factsOf(module).keepsState || hasRecordedHook(module.values);
    });
    return found;
}

} // namespace

CallEffects EffectsFinder::of(ModuleId module, const Node& node) {
    CallEffects out{writtenInputs(node)};
    const auto writeAll = [&] {
        for (const InputUse& use : node.inputs)
            out.written.push_back(use.node);
    };
    if (node.opcode == Opcode::CallModule) {
        const ModuleId callee = m_model.resolve(module, node.target.name()).module;
        if (!callee)
            out.hasState = true; // who knows
        else if (m_model.module(callee).graph) {
            if (writes(callee))
                writeAll();
            out.hasState = m_hasState.contains(callee);
        } else {
            out.hasState = keepsState(m_model, callee);
            if (isSet(m_model.module(callee), "inplace") || hasUserHook(m_model.module(callee).values))
                writeAll();
        }
    } else if (node.target.isHigherOrder()) {
        for (const InputUse& use : node.inputs) {
            const Node& input = m_model.graph(module).node(use.node);
            const ModuleId body = input.opcode == Opcode::GetAttr
                                      ? m_model.resolve(module, input.target.name()).module
                                      : ModuleId();
            if (!body || !m_model.module(body).graph || !writes(body))
                continue;
            writeAll();
            out.hasState |= m_hasState.contains(body);
        }
    }
    return out;
}

/// Whether something in the graph writes; into an attribute, for all that one knows, if it has any.
bool EffectsFinder::writes(ModuleId graph) {
    const auto [known, isNew] = m_writes.try_emplace(graph, false);
    if (!isNew)
        return known->second;
    bool found = false, reads = false;
    for (const Node& node : m_model.graph(graph)) {
        const CallEffects effects = of(graph, node);
        found |= !effects.written.empty() || effects.hasState;
        reads |= node.opcode == Opcode::GetAttr || effects.hasState;
    }
    if (found && reads)
        m_hasState.insert(graph);
    return m_writes[graph] = found;
}

} // namespace fx
