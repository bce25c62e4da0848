// SPDX-License-Identifier: GPL-3.0-or-later
// Where reverse-step and reverse-continue go back to in the graph that is paused.
#pragma once

#include "core/interpret/call_effects.h"
#include "core/interpret/debug_types.h"
#include "core/module/scopes.h"

#include <map>
#include <string>
#include <vector>

namespace fx {

/// Node before `node` at which a run can pause, in the order of the graph; no node if `node` is the first.
NodeId pausableBefore(const Graph& graph, NodeId node);

/// The search of GoBack::isToStop. It names one node after the other, each before the last; the session goes
/// back to each and evaluates the watched expressions there.
class Seek {
public:
    /// A value as its text and its contentOf(); an error counts as a value.
    using Values = std::map<std::string, std::pair<std::string, uint64_t>>; ///< by expression

    /// `begin`: values of the watched expressions where the search begins.
    Seek(const Model& model, Values begin) : m_model(model), m_effects(model), m_begin(std::move(begin)) {}

    /// Moves the target to the next node, going back from `at`, where a breakpoint can stop or a watched
    /// value can change. Returns no node if `at` is the first node of its graph.
    NodeId moveBack(NodeRef at, const ScopeTree& scopes, const std::vector<Breakpoint>& breakpoints);
    NodeRef target() const { return m_target; }
    /// True if the search ends at the target.
    bool isLast() const { return m_isLast; }
    std::vector<std::string> watched() const;
    /// Watched expression whose value the target computes; empty: none.
    const std::string& made() const { return m_made; }
    /// Watched expression whose value differs from the one at the beginning; empty: none.
    std::string changed(const Values& now) const;

private:
    const Model& m_model;
    EffectsFinder m_effects;
    const Values m_begin;
    NodeRef m_target;
    bool m_isLast = false;
    std::string m_made;
};

} // namespace fx
