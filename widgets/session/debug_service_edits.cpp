// SPDX-License-Identifier: GPL-3.0-or-later
// What an edit leaves of a run.
#include "widgets/document/graph_document.h"
#include "widgets/session/debug_service.h"

#include <algorithm>

namespace fx {

/// The run goes on, and knows its nodes by their new names.
void DebugService::followNames(const Changes& changes, bool isBackwards) {
    std::vector<Rename> renames;
    for (const Change& change : changes)
        if (const auto* renamed = std::get_if<NodeRenamed>(&std::get<GraphChange>(change.step)))
            renames.push_back(
                {{change.module, renamed->node}, isBackwards ? renamed->before : renamed->after});
    if (isBackwards)
        std::ranges::reverse(renames);
    for (const Rename& rename : renames)
        send(rename);
}

/// What ran is another graph now.
void DebugService::endForEdit() {
    const bool wasLive = m_state.isLive();
    stop();
    m_state = edited(std::move(m_state)); // which may have mended a failure
    forgetGradients();
    if (!wasLive)
        return;
    m_waiting.clear();
    m_console.forgetRun();
    Q_EMIT wrote("the graph has changed, so the run has ended; F5 goes on with the new one",
                 static_cast<int>(ConsoleStyle::Dim));
}

/// Of the values those stay that the edit leaves as they are.
void DebugService::follow(const Changes& changes, bool isBackwards) {
    const Model& model = m_document.model();
    if (changesNoValue(changes))
        followNames(changes, isBackwards);
    else
        endForEdit();
    if (isBackwards && !m_edits.empty())
        m_edits.pop_back();
    else
        m_edits.push_back(touchedBy(changes, model));
    std::set<NodeRef> touched;
    for (const Touched& edit : m_edits)
        if (edit.isAll)
            touched.insert(m_executed.begin(), m_executed.end());
        else
            touched.insert(edit.nodes.begin(), edit.nodes.end());
    touched.insert(m_leftStale.begin(), m_leftStale.end());
    m_stale = dependentsOf(model, touched);
    m_order.clear();
    for (const NodeRef node : m_executed)
        if (model.graph(node.module).contains(node.node))
            m_order.push_back(node);
    if (m_nonFinite)
        m_nonFinite = findNonFinite(); // the node that it named may be gone
    Q_EMIT recordsChanged();
    Q_EMIT stateChanged();
}

bool DebugService::canGoOn() const {
    return m_state.phase != State::Idle && !m_executed.empty() && m_ranWith && m_ranWith->runsAs(m_inputs);
}

void DebugService::goOn(bool pausesAtEntry, NodeRef from) {
    if (m_state.wish < RunState::Wish::Stop)
        stop(); // a second stop would end the process, and the values with it
    forgetEnd();
    forgetGradients();
    std::set<NodeRef> changed = m_stale;
    if (from.node)
        changed.insert(from);
    m_stale = m_leftStale = dependentsOf(m_document.model(), changed);
    RunRequest request = requestOf(m_inputs);
    request.pausesAtEntry = pausesAtEntry;
    request.changed.emplace(m_stale.begin(), m_stale.end());
    begin(std::move(request));
    Q_EMIT recordsChanged();
}

void DebugService::restartFrom(NodeRef node) {
    stopOnceAt(node);
    if (canGoOn())
        goOn(false, node);
    else
        start(false);
}

} // namespace fx
