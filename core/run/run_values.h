// SPDX-License-Identifier: GPL-3.0-or-later
// The records of the nodes that ran, and which of them an edit has made stale.
#pragma once

#include "core/interpret/non_finite.h"
#include "core/interpret/touched.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace fx {

class RunValues {
public:
    /// Null if the node has not run.
    const NodeRecord* record(NodeRef node) const;
    /// Nodes of the model that ran, in the order in which they first ran.
    const std::vector<NodeRef>& order() const { return m_order; }
    /// Nodes whose values another run would change.
    const std::set<NodeRef>& stale() const { return m_stale; }
    bool isStale(NodeRef node) const { return m_stale.contains(node); }
    /// True if the graph was edited since the run began.
    bool isEdited() const { return !m_edits.empty(); }
    /// True if no node ran.
    bool isEmpty() const { return m_executed.empty(); }
    /// NaN or Inf in the result of the run; none if all of the result is finite.
    std::optional<NonFiniteResult> nonFinite(const Model& model) const;

    void clear() { *this = {}; }
    /// Stores the records and returns the nodes that had a record before. `isCut`: an edit has ended the run,
    /// so the records are of the graph before the edit.
    std::set<NodeRef> take(const Executed& executed, const Model& model, bool isCut);
    /// Follows an edit, or its undoing. `model`: after the edit.
    void follow(const Changes& changes, bool isBackwards, const Model& model);
    /// A run begins that reuses all values except the stale ones. `from`: another node that it executes
    /// again; may be none.
    void beginAgain(const Model& model, NodeRef from);

private:
    struct FollowedEdit {
        Touched touched;
        bool isBackwards = false;
    };

    std::map<NodeRef, NodeRecord> m_records;
    std::vector<NodeRef> m_executed; ///< including nodes that an edit has removed
    std::vector<NodeRef> m_order;
    std::vector<FollowedEdit> m_edits; ///< since the run began
    std::set<NodeRef> m_stale;
    std::set<NodeRef> m_leftStale; ///< stale since before the run began, and not executed yet
};

} // namespace fx
