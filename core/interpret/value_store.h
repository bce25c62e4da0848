// SPDX-License-Identifier: GPL-3.0-or-later
// The values of executed nodes, kept for looking at while they fit a budget: the oldest large ones go first.
#pragma once

#include "core/interpret/debug_types.h"
#include "core/python/value.h"

#include <list>
#include <map>
#include <unordered_map>

namespace fx {

/// The memory that the tensors of a value lie in, each piece once.
std::vector<StorageUse> storagesOf(const Value& value);

class ValueStore {
public:
    explicit ValueStore(uint64_t budgetBytes) : m_budget(budgetBytes) {}

    /// `activation`: of the graph, in which the node ran; see Interpreter::activation.
    void put(NodeRef node, const Value& value, uint64_t activation);
    /// What is kept of the node is its value in that activation, too.
    void renew(NodeRef node, uint64_t activation);
    /// A later node wrote into the node's tensor.
    void markChanged(NodeRef node, const std::string& writer);
    /// No node of the graph has been written into.
    void unmarkChanged(ModuleId graph);
    /// Null for a node that has not run, or whose value was dropped.
    const Value* find(NodeRef node) const;
    /// The same, and null if the node ran in another activation. 0 means any.
    const Value* find(NodeRef node, uint64_t activation) const;
    bool wasDropped(NodeRef node) const;
    std::string changedBy(NodeRef node) const;
    void clear();

    MemoryReport report() const { return {m_bytes, m_budget, m_dropped}; }

private:
    struct Entry {
        Value value;
        bool isDropped = false;
        uint64_t age = 0, activation = 0;
        std::string changedBy;
    };
    void countStorages(const Value& value, int difference);
    void dropOverBudget();

    uint64_t m_budget, m_bytes = 0, m_clock = 0;
    size_t m_dropped = 0;
    std::map<NodeRef, Entry> m_entries;
    std::map<uint64_t, NodeRef> m_byAge;
    std::unordered_map<uint64_t, std::pair<int, uint64_t>> m_storages; ///< uses and bytes
};

} // namespace fx
