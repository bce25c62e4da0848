// SPDX-License-Identifier: GPL-3.0-or-later
// What an edit leaves of a run.
#include "widgets/document/graph_document.h"
#include "widgets/session/debug_service.h"

namespace fx {

/// What ran is another graph now: the run ends, and of its values those stay that the edit leaves as they
/// are.
void DebugService::follow(const Changes& changes, bool isBackwards) {
    const Model& model = m_document.model();
    if (m_state == State::Running || m_state == State::Paused) {
        stop();
        m_isCut = true;
        m_isStepping = false;
        m_waiting.clear();
        m_frames.clear();
        m_console.forgetRun();
        m_state = State::Over;
        Q_EMIT wrote("the graph has changed, so the run has ended; F5 runs the new one",
                     static_cast<int>(ConsoleStyle::Dim));
    }
    m_fault.clear(); // the edit may have mended it
    m_nodeFault.clear();
    m_faultCode = ErrorCode::None;
    m_hasFailed = false;
    m_faultyNode = {};
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
    m_stale = dependentsOf(model, touched);
    m_order.clear();
    for (const NodeRef node : m_executed)
        if (model.graph(node.module).contains(node.node))
            m_order.push_back(node);
    Q_EMIT recordsChanged();
    Q_EMIT stateChanged();
}

} // namespace fx
