// SPDX-License-Identifier: GPL-3.0-or-later
// What the calls of a run have written over, so that going back can put it back. Copies are kept within a
// budget; what called modules do to state of their own is not known here.
#pragma once

#include "core/interpret/debug_types.h"

#include <ATen/core/Tensor.h>

#include <deque>
#include <map>
#include <vector>

namespace fx {

class Interpreter;
struct Node;

class WriteHistory {
public:
    explicit WriteHistory(uint64_t budgetBytes) : m_budget(budgetBytes) {}

    /// The node is about to run.
    void note(const Interpreter& interpreter, const Node& node);
    /// All that was written since the node ran last is as it was then. False where that is not known any
    /// more, or the node has not run.
    bool restore(NodeRef node);

private:
    struct Write {
        at::Tensor tensor, before;
    };
    size_t count() const { return m_forgotten + m_writes.size(); }

    const uint64_t m_budget;
    uint64_t m_bytes = 0;
    std::deque<Write> m_writes; ///< in their order
    size_t m_forgotten = 0;     ///< of those before them
    std::map<ModuleId, std::vector<size_t>>
        m_before; ///< by node: one more than the writes before it ran last
};

} // namespace fx
