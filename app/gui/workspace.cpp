// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workspace.h"

#include "core/base/unicode.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

namespace fx::ui {

Workspace::Workspace(OpenedModel opened, const Theme& theme, std::shared_ptr<RemoteHost> host)
    : m_document(std::move(opened), host ? qt(oneLine(host->name())) : QString()), m_host(m_document),
      m_selection(m_document), m_code(m_document, m_selection),
      m_layout(m_document, m_selection, TextMetrics(theme.textFont(), theme.fixedFont())),
      m_debug(m_document, std::move(host)), m_watches(m_debug), m_passes(m_document, m_debug, m_host),
      m_verify(m_document, m_debug, m_host), m_costs(m_document, m_debug, m_host),
      m_sizes(m_document, m_debug, m_host) {
    connect(&m_debug, &DebugService::stateChanged, this, &Workspace::follow);
    connect(&m_debug, &DebugService::programAsked, this, [this](const GraphProgram& program) {
        m_passes.runProgram(program, m_selection.graph(), m_selection.nodes());
    });
}

ModelSnapshot Workspace::snapshot() {
    m_document.setLayoutState(m_selection.state());
    return m_host.snapshot();
}

void Workspace::selectWhatComes(ModuleId graph, bool isFirst) {
    auto* once = new QObject(this);
    connect(&m_passes, &PassService::ended, once, &QObject::deleteLater);
    connect(&m_document, &GraphDocument::changed, once, [this, graph, isFirst](const Changes& changes) {
        NodeId found;
        for (const Change& change : changes) {
            const auto* step = std::get_if<GraphChange>(&change.step);
            const auto* created = step ? std::get_if<NodeCreated>(step) : nullptr;
            if (created && change.module == graph && !(isFirst && found))
                found = created->node;
        }
        if (found)
            m_selection.select({graph, found});
    });
}

void Workspace::follow() {
    const NodeRef at = m_debug.run().state().at();
    if (!at.node) {
        // A run that failed shows where.
        if (const NodeRef faulty = m_debug.run().state().faultyNode(); faulty.node)
            m_selection.select(faulty);
        return;
    }
    if (at == std::exchange(m_followed, at) && m_selection.graph() == at.module)
        return;
    m_selection.showGraph(at.module);
    // After a step one wants to see what it gave; at a breakpoint, the node that one asked for.
    const std::vector<NodeRef>& order = m_debug.run().values().order();
    const Paused::Reason reason = m_debug.run().state().stop.reason;
    const bool hasStepped = reason == Paused::Reason::Step || reason == Paused::Reason::NonFinite;
    m_selection.select(hasStepped && !order.empty() && order.back().module == at.module ? order.back() : at);
}

} // namespace fx::ui
