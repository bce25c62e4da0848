// SPDX-License-Identifier: GPL-3.0-or-later
// A run that goes on from another: which of its nodes have a value already, and what it leaves to the next.
#pragma once

#include "core/interpret/rerun.h"
#include "core/run/session_values.h"

#include <map>
#include <optional>
#include <set>

namespace fx {

class GoingOn {
public:
    GoingOn(const Model& model, SessionValues& values, RandomHistory& random)
        : m_model(model), m_values(values), m_random(random) {}

    /// What is changed and what was set by hand runs again, with what depends on it.
    GoesOn from(EarlierRun earlier, std::set<NodeRef> changed);
    /// Leaves the values to another run.
    EarlierRun leave();

    /// Of graphs, that have run before this run.
    uint64_t activations() const { return m_activations; }
    /// As Observer::skips, which is asked for before anything runs.
    bool skips(Interpreter& interpreter, const Node& node);
    /// The node of the root graph is about to run; `hasDrawn`: the one before it has drawn random numbers.
    void note(NodeId node, uint64_t activation, bool hasDrawn);
    /// It has given its value.
    void ran(NodeId node) { m_open.erase(node); }
    void end(bool hasDrawn) { note(NodeId(), 0, hasDrawn); }

private:
    const Model& m_model;
    SessionValues& m_values;
    RandomHistory& m_random;
    /// Nodes of the root graph that need not run, until their turn has come; none: the value is gone, and
    /// nobody reads it.
    std::map<NodeId, std::optional<Value>> m_known;
    std::set<NodeId> m_open; ///< nodes of the root graph that have yet to run
    bool m_isToBegin = false;
    std::set<NodeId> m_drew; ///< as in EarlierRun
    NodeId m_last;           ///< the node of the root graph that began to run last
    uint64_t m_activations = 0;
};

} // namespace fx
