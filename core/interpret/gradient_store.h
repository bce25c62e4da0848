// SPDX-License-Identifier: GPL-3.0-or-later
// The gradients of a session's run, for looking at: those of values within a budget of memory
// (value_store.h), those of parameters all.
#pragma once

#include "core/interpret/value_store.h"

#include <map>
#include <string>

namespace fx {

class GradientStore {
public:
    /// `isAwaited`: the run will be differentiated.
    GradientStore(uint64_t budgetBytes, bool isAwaited) : m_values(budgetBytes), m_isAwaited(isAwaited) {}

    void put(const GradientRecord& record, const Value& gradient);
    /// The run was differentiated, and this is all that is known.
    void end(const std::vector<GradientRecord>& records);
    /// Null where there is none; absenceOf() says why.
    const Value* find(NodeRef node) const { return m_values.find(node); }
    const Value* find(TensorId tensor) const;
    std::string absenceOf(NodeRef node) const;
    std::string absenceOf(TensorId tensor) const;
    MemoryReport report() const { return m_values.report(); }

private:
    std::string reason(const char* whenThere) const;

    ValueStore m_values;
    std::map<TensorId, Value> m_parameters;
    std::map<NodeRef, std::string> m_absences;
    std::map<TensorId, std::string> m_noParameter;
    bool m_isAwaited, m_isThere = false;
};

} // namespace fx
