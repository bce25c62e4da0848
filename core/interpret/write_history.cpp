// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/write_history.h"

#include "core/interpret/interpreter.h"
#include "core/interpret/structure.h"
#include "core/interpret/written_tensors.h"

#include <ATen/ATen.h>

namespace fx {

void WriteHistory::note(const Interpreter& interpreter, const Node& node) {
    std::vector<size_t>& before = m_before[interpreter.module()];
    const auto index = static_cast<size_t>(node.id.value);
    if (index >= before.size())
        before.resize(index + 1);
    before[index] = count() + 1;
    const at::NoGradGuard guard;
    for (const NodeId input : writtenInputs(node)) {
        const Value* value = interpreter.value(input);
        if (!value)
            continue;
        for (const Value& leaf : flattened(*value)) {
            if (!leaf.isTensor() || !leaf.data().toTensor().defined())
                continue;
            const at::Tensor& tensor = leaf.data().toTensor();
            m_writes.push_back({tensor.detach(), tensor.clone()});
            m_bytes += tensor.nbytes();
        }
    }
    while (m_bytes > m_budget) {
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
    for (; count() > before[index] - 1; m_writes.pop_back()) {
        m_bytes -= m_writes.back().before.nbytes();
        m_writes.back().tensor.copy_(m_writes.back().before);
    }
    return true;
}

} // namespace fx
