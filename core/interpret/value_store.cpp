// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/value_store.h"

#include "core/interpret/structure.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

/// Smaller values are not worth dropping: shapes and numbers stay to the end.
constexpr uint64_t kLargeBytes = 64 * 1024;

uint64_t sizeOf(const Value& value) {
    uint64_t bytes = 0;
    for (const Value& leaf : flattened(value))
        if (leaf.isTensor() && leaf.data().toTensor().defined())
            bytes += leaf.data().toTensor().nbytes();
    return bytes;
}

} // namespace

std::vector<StorageUse> storagesOf(const Value& value) {
    std::vector<StorageUse> out;
    for (const Value& leaf : flattened(value)) {
        if (!leaf.isTensor() || !leaf.data().toTensor().defined() || !leaf.data().toTensor().has_storage())
            continue;
        const c10::Storage& storage = leaf.data().toTensor().storage();
        const StorageUse use{reinterpret_cast<uintptr_t>(storage.data()), storage.nbytes()};
        if (std::find_if(out.begin(), out.end(),
                         [&](const StorageUse& known) { return known.id == use.id; }) == out.end())
            out.push_back(use);
    }
    return out;
}

void ValueStore::countStorages(const Value& value, int difference) {
    for (const StorageUse& use : storagesOf(value)) {
        auto& [uses, bytes] = m_storages[use.id];
        if (uses == 0 && difference > 0) {
            bytes = use.bytes;
            m_bytes += bytes;
        }
        uses += difference;
        if (uses == 0) {
            m_bytes -= bytes;
            m_storages.erase(use.id);
        }
    }
}

void ValueStore::put(NodeRef node, const Value& value, uint64_t activation) {
    Entry& entry = m_entries[node];
    m_byAge.erase(entry.age);
    countStorages(entry.value, -1);
    countStorages(value, 1);
    entry = {value, false, ++m_clock, activation, {}};
    m_byAge[entry.age] = node;
    dropOverBudget();
}

void ValueStore::dropOverBudget() {
    if (m_bytes <= m_budget)
        return;
    for (const bool onlyLarge : {true, false}) {
        for (auto oldest = m_byAge.begin(); oldest != m_byAge.end() && m_bytes > m_budget;) {
            Entry& entry = m_entries[oldest->second];
            // The newest stays: it is what somebody stands on.
            const bool isNewest = entry.age == m_clock;
            if (isNewest || (onlyLarge && sizeOf(entry.value) < kLargeBytes)) {
                ++oldest;
                continue;
            }
            countStorages(entry.value, -1);
            entry.value = Value();
            entry.isDropped = true;
            ++m_dropped;
            oldest = m_byAge.erase(oldest);
        }
        if (m_bytes <= m_budget)
            return;
    }
}

void ValueStore::renew(NodeRef node, uint64_t activation) {
    if (const auto found = m_entries.find(node); found != m_entries.end())
        found->second.activation = activation;
}

void ValueStore::markChanged(NodeRef node, const std::string& writer) {
    if (const auto found = m_entries.find(node); found != m_entries.end())
        found->second.changedBy = writer;
}

void ValueStore::unmarkChanged(ModuleId graph) {
    for (auto& [node, entry] : m_entries)
        if (node.module == graph)
            entry.changedBy.clear();
}

const Value* ValueStore::find(NodeRef node) const {
    const auto found = m_entries.find(node);
    return found == m_entries.end() || found->second.isDropped ? nullptr : &found->second.value;
}

const Value* ValueStore::find(NodeRef node, uint64_t activation) const {
    const auto found = m_entries.find(node);
    const bool isOther = found != m_entries.end() && activation && found->second.activation != activation;
    return isOther ? nullptr : find(node);
}

bool ValueStore::wasDropped(NodeRef node) const {
    const auto found = m_entries.find(node);
    return found != m_entries.end() && found->second.isDropped;
}

std::string ValueStore::changedBy(NodeRef node) const {
    const auto found = m_entries.find(node);
    return found == m_entries.end() ? std::string() : found->second.changedBy;
}

void ValueStore::clear() {
    *this = ValueStore(m_budget);
}

} // namespace fx
