// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/write_history.h"

#include "core/interpret/interpreter.h"
#include "core/interpret/structure.h"
#include "core/interpret/written_tensors.h"
#include "core/trace/recorded_hooks.h"

#include <ATen/ATen.h>

namespace fx {

void WriteHistory::keep(const at::Tensor& tensor) {
    m_writes.push_back({tensor, tensor.clone()});
    m_bytes += tensor.nbytes();
}

void WriteHistory::keepStateOf(const Interpreter& interpreter, ModuleId called) {
    const Model& model = interpreter.model();
    bool isTorchs = true;
    model.forEachModule(called, [&](ModuleId id, const std::string&) {
        isTorchs &= model.module(id).type.starts_with("torch.") && !hasUserHook(model.module(id).values);
        for (const NamedTensor& entry : writtenByItself(model.module(id)))
            keep(interpreter.context().state.tensor(entry.tensor, entry.role,
                                                    entry.role != TensorRole::Constant));
    });
    if (!isTorchs)
        m_writes.push_back({});
}

void WriteHistory::note(const Interpreter& interpreter, const Node& node) {
    const ModuleId module = interpreter.module();
    std::vector<size_t>& before = m_before[module];
    const auto index = static_cast<size_t>(node.id.value);
    if (index >= before.size())
        before.resize(index + 1);
    before[index] = count() + 1;
    const Model& model = interpreter.model();
    const ModuleId called =
        node.opcode == Opcode::CallModule ? model.resolve(module, node.target.name()).module : ModuleId();
    // Graphs that are called run node by node, and note what they write themselves.
    const CallEffects effects =
        called && !model.module(called).graph ? m_effects.of(module, node) : CallEffects{writtenInputs(node)};
    const at::NoGradGuard guard;
    for (const NodeId input : effects.written) {
        const Value* value = interpreter.value(input);
        if (!value)
            continue;
        for (const Value& leaf : flattened(*value))
            if (leaf.isTensor() && leaf.data().toTensor().defined())
                keep(leaf.data().toTensor().detach());
    }
    if (effects.hasState)
        keepStateOf(interpreter, called);
    while (m_bytes > m_budget) {
        if (m_writes.front().before.defined())
            m_bytes -= m_writes.front().before.nbytes();
        m_writes.pop_front();
        ++m_forgotten;
    }
}

bool WriteHistory::restore(NodeRef node) {
    const std::vector<size_t>& before = m_before[node.module];
    const auto index = static_cast<size_t>(node.node.value);
    if (index >= before.size() || before[index] == 0 || before[index] - 1 < m_forgotten)
        return false;
    const at::NoGradGuard guard;
    bool isAll = true;
    while (count() > before[index] - 1) {
        const Write write = std::move(m_writes.back());
        m_writes.pop_back();
        isAll &= write.before.defined();
        if (!write.before.defined())
            continue;
        m_bytes -= write.before.nbytes();
        try {
            if (write.tensor.sizes() != write.before.sizes()) // observers of ranges grow
                write.tensor.resize_(write.before.sizes());
            write.tensor.copy_(write.before);
        } catch (const c10::Error&) {
            isAll = false; // several of its elements lie in one place
        }
    }
    return isAll;
}

} // namespace fx
