// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/isolated_inputs.h"

#include "core/interpret/structure.h"

#include <ATen/ATen.h>
#include <ATen/MemoryOverlap.h>

#include <algorithm>

namespace fx {

namespace {

const void* memoryOf(const at::Tensor& tensor) {
    return tensor.has_storage() ? tensor.storage().data() : nullptr;
}

/// Whether it is the same kind of value once its tensors are others: a named tuple would be a tuple.
bool canBeRebuilt(const Value& value) {
    if (value.isTensor())
        return true;
    if (const auto* dict = value.as<DictObject>())
        return std::ranges::all_of(dict->entries(),
                                   [](const auto& entry) { return canBeRebuilt(entry.value); });
    if (const auto* list = value.as<SequenceObject>())
        return std::ranges::all_of(list->items, canBeRebuilt);
    return !value.as<InstanceObject>();
}

} // namespace

void IsolatedInputs::ran(const Interpreter& interpreter, const Node& node, const Value& value,
                         const Value* reference) {
    if (!reference || node.opcode == Opcode::GetAttr || node.opcode == Opcode::Output || !canBeRebuilt(value))
        return;
    const Values mine = flattened(value), theirs = flattened(*reference);
    if (mine.size() != theirs.size())
        return;
    std::set<const void*> read;
    for (const InputUse& input : node.inputs)
        if (const Value* given = interpreter.value(input.node))
            for (const Value& leaf : flattened(*given))
                if (leaf.isTensor())
                    read.insert(memoryOf(leaf.data().toTensor()));
    size_t next = 0;
    bool isReplaced = false;
    Value replaced = mapTensors(value, [&](const at::Tensor& tensor) {
        while (!mine[next].isTensor())
            ++next;
        const Value& other = theirs[next++];
        if (!other.isTensor() || other.data().toTensor().sizes() != tensor.sizes() || tensor.is_meta() ||
            !memoryOf(tensor))
            return tensor;
        const at::Tensor& from = other.data().toTensor();
        if (!read.contains(memoryOf(tensor))) {
            at::Tensor fresh = tensor.detach().clone();
            fresh.copy_(from);
            m_own.insert(memoryOf(fresh));
            isReplaced = true;
            return fresh;
        }
        if (m_own.contains(memoryOf(tensor)) && at::has_internal_overlap(tensor) == at::MemOverlap::No)
            tensor.detach().copy_(from);
        return tensor;
    });
    if (isReplaced)
        m_next.emplace(node.id, std::move(replaced));
}

void IsolatedInputs::apply(Interpreter& interpreter) {
    if (!m_next)
        return;
    interpreter.setValue(m_next->first, std::move(m_next->second));
    m_next.reset();
}

} // namespace fx
