// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/box_states.h"

#include "core/interpret/non_finite.h"
#include "core/module/muted.h"
#include "widgets/document/graph_document.h"
#include "widgets/session/debug_service.h"
#include "widgets/session/layout_service.h"
#include "widgets/session/run_text.h"
#include "widgets/session/selection.h"
#include "widgets/session/sizes_service.h"
#include "widgets/support/qt_text.h"

#include <QSet>

namespace fx::ui {

const BoxState& BoxStates::of(const Picture& picture, int box) const {
    if (m_picture != &picture)
        gather(picture);
    return m_states[static_cast<size_t>(box)];
}

void BoxStates::gatherMatches(const Picture& picture) const {
    if (!m_selection.matches().isLit())
        return;
    const QSet<QString> shownScopes(picture.scopePaths.begin(), picture.scopePaths.end());
    QSet<QString> matchedScopes;
    for (const Match& match : m_selection.matches().all()) {
        if (match.node.module != picture.module)
            continue;
        // Inside a collapsed one it is seen as that.
        const ScopeTree& scopes = m_selection.scopes();
        const auto isShown = [&](const Scope& scope) { return shownScopes.contains(wholeQt(scope.path)); };
        if (const int scope = scopes.around(scopes.find(utf8(match.scope)), isShown); scope > 0)
            matchedScopes.insert(wholeQt(scopes.scope(scope).path));
        else if (const int box = picture.diagram.boxOf(match.node.node); box >= 0)
            m_states[static_cast<size_t>(box)].isMatch = true;
    }
    for (size_t i = 0; i < m_states.size(); ++i)
        m_states[i].isMatch |= matchedScopes.contains(picture.scopePaths[i]);
}

const std::vector<BoxGroup>& BoxStates::groups(const Picture& picture) const {
    if (m_picture != &picture)
        gather(picture);
    return m_groups;
}

const QString& BoxStates::wireLabel(const Picture& picture, int edge) const {
    if (m_picture != &picture)
        gather(picture);
    return m_wireLabels[static_cast<size_t>(edge)];
}

QString BoxStates::wireFault(const Picture& picture, int edge) const {
    if (!m_sizes)
        return {};
    const auto& faults = m_sizes->typeFaults();
    const auto found = faults.find({picture.module, picture.diagram.edges[static_cast<size_t>(edge)].value});
    return found == faults.end() ? QString() : found->second;
}

BoxState* BoxStates::at(const Picture& picture, NodeId node) const {
    const int box = picture.diagram.boxOf(node);
    return box < 0 ? nullptr : &m_states[static_cast<size_t>(box)];
}

void BoxStates::gatherRun(const Picture& picture) const {
    const Graph& graph = m_document.model().graph(picture.module);
    struct Ran {
        size_t nodes = 0, executed = 0;
    };
    std::vector<Ran> calls(m_states.size()), weights(m_states.size());
    std::optional<std::set<NodeId>> masks;
    const auto healthOf = [this](NodeRef node) {
        const NodeRecord* record =
            m_debug->run().isAhead(node) ? nullptr : m_debug->run().values().record(node);
        return record ? &record->health : nullptr;
    };
    for (const auto& [node, box] : picture.diagram.boxByNode) {
        const size_t index = static_cast<size_t>(box);
        const bool isWeight = graph.contains(node) && graph.node(node).opcode == Opcode::GetAttr;
        Ran& ran = (isWeight ? weights : calls)[index];
        ++ran.nodes;
        const NodeRef ref{picture.module, node};
        const NodeRecord* record =
            m_debug->run().isAhead(ref) ? nullptr : m_debug->run().values().record(ref);
        if (!record)
            continue;
        BoxState& state = m_states[index];
        state.isStale |= m_debug->run().values().isStale(ref);
        if (!m_debug->run().values().isStale(ref))
            ++ran.executed;
        Health health = record->health;
        if (health.hasInf && !health.hasNan) {
            if (!masks)
                masks = masksIn(m_document.model(), picture.module, healthOf);
            if (masks->contains(node)) {
                state.isMask = true;
                health = {};
            }
        }
        state.health.add(health);
        state.milliseconds += record->milliseconds;
        if (picture.diagram.boxes[index].kind == DiagramBox::Kind::Node)
            state.value = qt(valueMetaText(record->value));
        if (!record->setTo.empty())
            state.setTo = qt(record->setTo);
    }
    for (size_t i = 0; i < m_states.size(); ++i) {
        // A scope has run when its calls have: what fetches its weights may stand long before.
        const auto& [nodes, executed] = calls[i].nodes > 0 ? calls[i] : weights[i];
        m_states[i].hasRun = nodes > 0 && executed == nodes;
        m_states[i].isAwaited = executed == 0 && nodes > 0;
        if (const DiagramBox& box = picture.diagram.boxes[i]; box.kind == DiagramBox::Kind::Stub)
            m_states[i].hasRun = m_debug->run().values().record({picture.module, box.node}) != nullptr;
    }
    for (size_t i = 0; i < m_wireLabels.size(); ++i)
        if (const NodeRef value{picture.module, picture.diagram.edges[i].value};
            !m_debug->run().isAhead(value))
            if (const NodeRecord* record = m_debug->run().values().record(value))
                m_wireLabels[i] = wireLabelText(record->value);
    // A scope comes before what is in it.
    for (size_t i = m_states.size(); i-- > 0;)
        if (const int parent = picture.diagram.boxes[i].parent; parent >= 0)
            m_states[static_cast<size_t>(parent)].milliseconds += m_states[i].milliseconds;
}

void BoxStates::gatherSizes(const Picture& picture) const {
    for (const auto& [node, box] : picture.diagram.boxByNode) {
        BoxState& state = m_states[static_cast<size_t>(box)];
        if (picture.diagram.boxes[static_cast<size_t>(box)].kind == DiagramBox::Kind::Node &&
            state.value.isEmpty())
            if (const ValueMeta* value = m_sizes->valueOf({picture.module, node}))
                state.value = qt(valueMetaText(*value));
    }
    for (size_t i = 0; i < m_wireLabels.size(); ++i)
        if (const ValueMeta* value = m_sizes->valueOf({picture.module, picture.diagram.edges[i].value}))
            m_wireLabels[i] = wireLabelText(*value);
    for (size_t i = 0; i < m_wireLabels.size() && !m_sizes->typeFaults().empty(); ++i)
        if (!wireFault(picture, static_cast<int>(i)).isEmpty())
            m_wireLabels[i] += QString(" %1 declared").arg(QChar(0x2260));
}

void BoxStates::gatherStops(const Picture& picture) const {
    for (const DebugFrame& frame : m_debug->run().state().stop.frames)
        if (frame.node.module == picture.module && m_debug->state() == DebugService::State::Paused)
            if (BoxState* state = at(picture, frame.node.node))
                state->isCurrent = true;
    for (const Breakpoint& breakpoint : m_debug->breakpoints().all())
        if (breakpoint.kind == Breakpoint::Kind::Node && breakpoint.isEnabled &&
            breakpoint.node.module == picture.module)
            if (BoxState* state = at(picture, breakpoint.node.node))
                state->hasBreakpoint = true;
}

void BoxStates::gather(const Picture& picture) const {
    m_picture = &picture;
    m_states.assign(picture.diagram.boxes.size(), {});
    m_wireLabels = picture.edgeLabels;
    const Graph& graph = m_document.model().graph(picture.module);
    const bool isRunBegun = m_debug && m_debug->state() != DebugService::State::Idle;
    if (isRunBegun)
        gatherRun(picture);
    if (m_sizes)
        gatherSizes(picture);
    gatherColours(picture);
    if (m_debug)
        gatherStops(picture);
    // A graph that shows a difference is made of two: no rule holds for it.
    for (const LintFault& fault :
         m_changes.empty() ? m_document.faults(picture.module) : std::vector<LintFault>())
        if (BoxState* state = at(picture, fault.node); state && state->fault.isEmpty())
            state->fault = qt(fault.message.substr(0, fault.message.find('\n')));
    if (m_sizes)
        for (const auto& [node, fault] : m_sizes->typeFaults())
            if (BoxState* state = node.module == picture.module ? at(picture, node.node) : nullptr;
                state && state->fault.isEmpty())
                state->fault = fault;
    if (const NodeRef faulty = isRunBegun ? m_debug->run().state().faultyNode() : NodeRef();
        faulty.module == picture.module)
        if (BoxState* state = at(picture, faulty.node))
            state->fault = briefFailure(m_debug->run().state());

    // The picture may be a moment older than the graph.
    for (NodeId node : m_selection.nodes())
        if (BoxState* state = at(picture, node))
            state->isSelected = true;
    gatherMatches(picture);
    for (size_t i = 0; i < m_states.size(); ++i) {
        const DiagramBox& box = picture.diagram.boxes[i];
        if (box.kind == DiagramBox::Kind::Node && graph.contains(box.node)) {
            m_states[i].isMuted = mutedCall(graph.node(box.node)).has_value();
            m_states[i].mark = markOf(graph.node(box.node));
        } else if (box.kind == DiagramBox::Kind::Stub) {
            m_states[i].isSelected = m_selection.isSelected(box.node);
        }
    }
    const NodeId current = m_selection.currentNode();
    if (current && m_selection.graph() == picture.module && graph.contains(current)) {
        for (const InputUse& use : graph.node(current).inputs)
            if (BoxState* state = at(picture, use.node))
                state->isNeighbour = true;
        for (NodeId user : graph.node(current).users)
            if (BoxState* state = at(picture, user))
                state->isNeighbour = true;
    }
    if (!m_selection.scope().isEmpty())
        for (size_t i = 0; i < m_states.size(); ++i)
            m_states[i].isSelected |= picture.scopePaths[i] == m_selection.scope();
}

} // namespace fx::ui
