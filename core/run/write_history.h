// SPDX-License-Identifier: GPL-3.0-or-later
// What the calls of a run have written over, so that going back can put it back: what they were given, and
// tensors of the modules that they call. Copies are kept within a budget. What else a module of a user's own
// class holds is not known here.
#pragma once

#include "core/interpret/call_effects.h"
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
    WriteHistory(const Model& model, uint64_t budgetBytes) : m_budget(budgetBytes), m_effects(model) {}

    /// The node is about to run.
    void note(const Interpreter& interpreter, const Node& node);
    /// All that was written since the node ran last is as it was then. False where that is not known any
    /// more, or the node has not run.
    bool restore(NodeRef node);

private:
    struct Write {
        at::Tensor tensor, before; ///< undefined: something that is not known
    };
    void keep(const at::Tensor& tensor);
    void keepStateOf(const Interpreter& interpreter, ModuleId called);
    size_t count() const { return m_forgotten + m_writes.size(); }

    const uint64_t m_budget;
    EffectsFinder m_effects;
    uint64_t m_bytes = 0;
    std::deque<Write> m_writes; ///< in their order
    size_t m_forgotten = 0;     ///< of those before them
    std::map<ModuleId, std::vector<size_t>>
        m_before; ///< by node: one more than the writes before it ran last
};

} // namespace fx
