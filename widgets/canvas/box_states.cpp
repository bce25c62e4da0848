// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/box_states.h"

#include "core/module/muted.h"
#include "core/passes/split/hand_parts.h"
#include "core/passes/split/label_parts.h"
#include "widgets/document/graph_document.h"
#include "widgets/session/debug_service.h"
#include "widgets/session/layout_service.h"
#include "widgets/session/selection.h"
#include "widgets/session/sizes_service.h"
#include "widgets/support/qt_text.h"

#include <QSet>

#include <algorithm>

namespace fx {

const BoxState& BoxStates::of(const Picture& picture, int box) const {
    if (m_picture != &picture)
        gather(picture);
    return m_states[static_cast<size_t>(box)];
}

void BoxStates::gatherDifferences(const Picture& picture) const {
    if (picture.module != m_document.model().root())
        return;
    for (const auto& [node, box] : picture.diagram.boxByNode) {
        const auto found = m_differences.find(node);
        BoxState& state = m_states[static_cast<size_t>(box)];
        // A closed scope is as far away as the worst in it.
        if (found == m_differences.end() || found->second.heat < state.heat)
            continue;
        state.heat = found->second.heat;
        state.note = found->second.note;
    }
}

namespace {

using Cost = const CostFigures&;

double predictedSeconds(Cost cost) {
    return cost.prediction ? cost.prediction->seconds : 0;
}

QString secondsLabel(Cost cost) {
    return cost.prediction ? qt(secondsText(cost.prediction->seconds)) : QString();
}

constexpr char kSeveralParts[] = "several parts"; // which is no name

/// How boxes are coloured by a cost, and how it is written on them.
struct CostColouring {
    Colouring colouring;
    double (*amount)(Cost cost);
    QString (*label)(Cost cost);
};

const CostColouring kCostColourings[] = {
    {Colouring::Flops, [](Cost cost) { return static_cast<double>(cost.flops); },
     [](Cost cost) { return countLabel(cost.flops); }},
    {Colouring::Bytes, [](Cost cost) { return static_cast<double>(cost.traffic.total()); },
     [](Cost cost) { return byteLabel(cost.traffic.total()); }},
    {Colouring::Memory, [](Cost cost) { return static_cast<double>(cost.liveBytes); },
     [](Cost cost) { return byteLabel(cost.liveBytes); }},
    {Colouring::Predicted, predictedSeconds, secondsLabel},
    {Colouring::Bound, predictedSeconds,
     [](Cost cost) { return cost.prediction ? qt(boundName(cost.prediction->bound())) : QString(); }},
};

} // namespace

void BoxStates::gatherHeat(const Picture& picture) const {
    if (m_colouring == Colouring::Kind)
        return;
    if (m_colouring == Colouring::Difference)
        return gatherDifferences(picture);
    if (m_colouring == Colouring::Part)
        return gatherParts(picture);
    if (m_colouring == Colouring::Time)
        for (BoxState& state : m_states)
            state.heat = state.milliseconds;
    else
        gatherCosts(picture);
    double most = 0;
    for (size_t i = 0; i < m_states.size(); ++i) {
        if (picture.diagram.boxes[i].kind == DiagramBox::Kind::ExpandedScope)
            m_states[i].heat = 0; // those in it tell
        most = std::max(most, m_states[i].heat);
    }
    for (BoxState& state : m_states)
        state.heat = most > 0 ? state.heat / most : 0;
}

/// A closed scope costs what its nodes do together.
void BoxStates::gatherCosts(const Picture& picture) const {
    if (picture.module != m_document.model().root())
        return;
    std::vector<CostFigures> sums(m_states.size());
    for (const auto& [node, box] : picture.diagram.boxByNode)
        if (const auto found = m_costs.find(node); found != m_costs.end())
            sums[static_cast<size_t>(box)] += found->second;
    const auto* row = std::ranges::find(kCostColourings, m_colouring, &CostColouring::colouring);
    for (size_t i = 0; i < sums.size(); ++i) {
        BoxState& state = m_states[i];
        state.heat = row->amount(sums[i]);
        if (state.heat > 0)
            state.note = row->label(sums[i]);
        if (m_colouring == Colouring::Bound && sums[i].prediction)
            state.bound = sums[i].prediction->bound();
    }
}

/// A closed scope is in a part if all that is in one is in the same.
void BoxStates::gatherParts(const Picture& picture) const {
    const Graph& graph = m_document.model().graph(picture.module);
    std::map<std::string, int> numbers;
    for (const Node& node : graph) {
        const std::string part = tagOf(node, kPartTag);
        BoxState* state = part.empty() ? nullptr : at(picture, node.id);
        if (!part.empty())
            numbers.try_emplace(part, static_cast<int>(numbers.size()));
        if (!state || state->note == kSeveralParts)
            continue;
        const bool isOther = state->part >= 0 && state->note != qt(part);
        state->part = numbers.at(part);
        state->note = isOther ? QString(kSeveralParts) : qt(part);
    }
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
        QString scope = match.scope;
        while (!scope.isEmpty() && !shownScopes.contains(scope))
            scope = scope.section('.', 0, -2);
        if (!scope.isEmpty())
            matchedScopes.insert(scope);
        else if (const int box = picture.diagram.boxOf(match.node.node); box >= 0)
            m_states[static_cast<size_t>(box)].isMatch = true;
    }
    for (size_t i = 0; i < m_states.size(); ++i)
        m_states[i].isMatch |= matchedScopes.contains(picture.scopePaths[i]);
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
    for (const auto& [node, box] : picture.diagram.boxByNode) {
        const size_t index = static_cast<size_t>(box);
        const bool isWeight = graph.contains(node) && graph.node(node).opcode == Opcode::GetAttr;
        Ran& ran = (isWeight ? weights : calls)[index];
        ++ran.nodes;
        const NodeRef ref{picture.module, node};
        const NodeRecord* record = m_debug->isAhead(ref) ? nullptr : m_debug->record(ref);
        if (!record)
            continue;
        BoxState& state = m_states[index];
        state.isStale |= m_debug->isStale(ref);
        if (!m_debug->isStale(ref))
            ++ran.executed;
        state.health.hasNan |= record->health.hasNan;
        state.health.hasInf |= record->health.hasInf;
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
            m_states[i].hasRun = m_debug->record({picture.module, box.node}) != nullptr;
    }
    for (size_t i = 0; i < m_wireLabels.size(); ++i)
        if (const NodeRef value{picture.module, picture.diagram.edges[i].value}; !m_debug->isAhead(value))
            if (const NodeRecord* record = m_debug->record(value))
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
            if (const ValueMeta* value = m_sizes->value({picture.module, node}))
                state.value = qt(valueMetaText(*value));
    }
    for (size_t i = 0; i < m_wireLabels.size(); ++i)
        if (const ValueMeta* value = m_sizes->value({picture.module, picture.diagram.edges[i].value}))
            m_wireLabels[i] = wireLabelText(*value);
    for (size_t i = 0; i < m_wireLabels.size() && !m_sizes->typeFaults().empty(); ++i)
        if (!wireFault(picture, static_cast<int>(i)).isEmpty())
            m_wireLabels[i] += QString(" %1 declared").arg(QChar(0x2260));
}

void BoxStates::gatherStops(const Picture& picture) const {
    for (const DebugFrame& frame : m_debug->frames())
        if (frame.node.module == picture.module && m_debug->state() == DebugService::State::Paused)
            if (BoxState* state = at(picture, frame.node.node))
                state->isCurrent = true;
    for (const Breakpoint& breakpoint : m_debug->breakpoints())
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
    gatherHeat(picture);
    if (m_debug)
        gatherStops(picture);
    for (const LintFault& fault : m_document.faults(picture.module))
        if (BoxState* state = at(picture, fault.node); state && state->fault.isEmpty())
            state->fault = qt(fault.message.substr(0, fault.message.find('\n')));
    if (m_sizes)
        for (const auto& [node, fault] : m_sizes->typeFaults())
            if (BoxState* state = node.module == picture.module ? at(picture, node.node) : nullptr;
                state && state->fault.isEmpty())
                state->fault = fault;
    if (const NodeRef faulty = isRunBegun ? m_debug->faultyNode() : NodeRef();
        faulty.module == picture.module)
        if (BoxState* state = at(picture, faulty.node))
            state->fault = m_debug->faultOfNode();

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

} // namespace fx
