// SPDX-License-Identifier: GPL-3.0-or-later
// The memory of a run's values, node by node: a storage lives as long as a value that is not released yet
// holds it. What the caller or the model holds anyway is left out.
#pragma once

#include "core/interpret/interpreter.h"

#include <c10/core/Storage.h>

#include <map>
#include <unordered_map>

namespace fx {

class LiveMemory {
public:
    /// The caller or the model holds these.
    void keep(const Value& value);
    /// The node has this value now. Gives the bytes that are new with it.
    uint64_t add(ModuleId module, NodeId node, const Value& value);
    void release(ModuleId module, NodeId node);

    uint64_t bytes() const { return m_bytes; }
    uint64_t keptBytes() const { return m_keptBytes; }

private:
    struct Entry {
        uint64_t bytes = 0;
        size_t holders = 0;
    };
    static std::vector<c10::Storage> storagesOf(const Value& value);

    std::map<std::pair<ModuleId, NodeId>, std::vector<c10::Storage>> m_values;
    std::unordered_map<const void*, Entry> m_live;
    std::unordered_map<const void*, c10::Storage> m_kept;
    uint64_t m_bytes = 0, m_keptBytes = 0;
};

/// What all these tensors take together, each number counted once for each tensor.
uint64_t tensorBytes(const Value& value);

} // namespace fx
