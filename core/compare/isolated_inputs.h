// SPDX-License-Identifier: GPL-3.0-or-later
// Gives each node of a run what a reference has of its inputs: once a node has run, its value is the
// reference's for all that read it.
#pragma once

#include "core/interpret/interpreter.h"

#include <optional>
#include <set>
#include <utility>

namespace fx {

class IsolatedInputs {
public:
    /// The node has given `value`, in whose place `reference` is to be read; null: there is none for it.
    /// Named tuples and objects are not replaced. Views stay as they are, as what they look into is the
    /// reference's already; so does what an operator has written into, after the reference's numbers were
    /// written there.
    void ran(const Interpreter& interpreter, const Node& node, const Value& value, const Value* reference);
    /// To be called before the next node runs.
    void apply(Interpreter& interpreter);

private:
    std::set<const void*> m_own; ///< memory of values that were put in here
    std::optional<std::pair<NodeId, Value>> m_next;
};

} // namespace fx
