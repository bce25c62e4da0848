// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_values.h"

namespace fx {

const NodeRecord* RunValues::record(NodeRef node) const {
    const auto found = m_records.find(node);
    return found == m_records.end() ? nullptr : &found->second;
}

std::optional<NonFiniteResult> RunValues::nonFinite(const Model& model) const {
    return nonFiniteResult(model, [this](NodeRef node) {
        const NodeRecord* known = record(node);
        return known ? &known->health : nullptr;
    });
}

std::set<NodeRef> RunValues::take(const Executed& executed, const Model& model, bool isCut) {
    std::set<NodeRef> again;
    for (const NodeRecord& record : executed.records) {
        if (!executed.isRecalled && !isCut) {
            m_stale.erase(record.node);
            m_leftStale.erase(record.node);
        }
        const auto [known, isNew] = m_records.try_emplace(record.node, record);
        if (isNew) {
            m_executed.push_back(record.node);
            if (model.graph(record.node.module).contains(record.node.node))
                m_order.push_back(record.node);
            continue;
        }
        if (model.graph(record.node.module).contains(record.node.node))
            again.insert(record.node);
        // A value that a user has set took no time.
        const double milliseconds = record.setTo.empty() ? record.milliseconds : known->second.milliseconds;
        known->second = record;
        known->second.milliseconds = milliseconds;
    }
    return again;
}

void RunValues::follow(const Changes& changes, bool isBackwards, const Model& model) {
    // Undoing an edit that was made before the run began is an edit, too.
    if (isBackwards && !m_edits.empty() && !m_edits.back().isBackwards)
        m_edits.pop_back();
    else
        m_edits.push_back({touchedBy(changes, model), isBackwards});
    std::set<NodeRef> touched = m_leftStale;
    for (const FollowedEdit& edit : m_edits)
        if (edit.touched.isAll)
            touched.insert(m_executed.begin(), m_executed.end());
        else
            touched.insert(edit.touched.nodes.begin(), edit.touched.nodes.end());
    m_stale = dependentsOf(model, touched);
    m_order.clear();
    for (const NodeRef node : m_executed)
        if (model.graph(node.module).contains(node.node))
            m_order.push_back(node);
}

void RunValues::beginAgain(const Model& model, NodeRef from) {
    std::set<NodeRef> changed = m_stale;
    if (from.node)
        changed.insert(from);
    m_stale = m_leftStale = dependentsOf(model, changed);
    m_edits.clear();
}

} // namespace fx
