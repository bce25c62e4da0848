// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/costs/live_memory.h"

#include "core/interpret/structure.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

void forEachTensorIn(const Value& value, const std::function<void(const at::Tensor&)>& visit) {
    for (const Value& leaf : flattened(value))
        if (leaf.isTensor() && leaf.data().toTensor().defined())
            visit(leaf.data().toTensor());
}

} // namespace

std::vector<c10::Storage> LiveMemory::storagesOf(const Value& value) {
    std::vector<c10::Storage> out;
    forEachTensorIn(value, [&](const at::Tensor& tensor) {
        if (!tensor.has_storage())
            return;
        const c10::Storage& storage = tensor.storage();
        const void* key = storage.unsafeGetStorageImpl();
        if (std::ranges::none_of(out, [&](const auto& other) { return other.unsafeGetStorageImpl() == key; }))
            out.push_back(storage);
    });
    return out;
}

void LiveMemory::keep(const Value& value) {
    for (const c10::Storage& storage : storagesOf(value))
        if (m_kept.emplace(storage.unsafeGetStorageImpl(), storage).second)
            m_keptBytes += storage.nbytes();
}

uint64_t LiveMemory::add(ModuleId module, NodeId node, const Value& value) {
    release(module, node); // of a graph that runs again
    std::vector<c10::Storage> held;
    uint64_t fresh = 0;
    for (c10::Storage& storage : storagesOf(value)) {
        const void* key = storage.unsafeGetStorageImpl();
        if (m_kept.contains(key))
            continue;
        Entry& entry = m_live[key];
        if (entry.holders++ == 0)
            fresh += entry.bytes = storage.nbytes();
        held.push_back(std::move(storage));
    }
    m_bytes += fresh;
    if (!held.empty())
        m_values.emplace(std::pair(module, node), std::move(held));
    return fresh;
}

void LiveMemory::release(ModuleId module, NodeId node) {
    const auto found = m_values.find({module, node});
    if (found == m_values.end())
        return;
    for (const c10::Storage& storage : found->second) {
        const auto entry = m_live.find(storage.unsafeGetStorageImpl());
        if (--entry->second.holders > 0)
            continue;
        m_bytes -= entry->second.bytes;
        m_live.erase(entry);
    }
    m_values.erase(found);
}

uint64_t tensorBytes(const Value& value) {
    uint64_t out = 0;
    forEachTensorIn(value, [&](const at::Tensor& tensor) {
        out += static_cast<uint64_t>(tensor.numel()) * tensor.element_size();
    });
    return out;
}

} // namespace fx
