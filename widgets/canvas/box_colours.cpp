// SPDX-License-Identifier: GPL-3.0-or-later
// What colours say of boxes: how much of something each has, or which of several groups it is in.
#include "core/ir/dtype.h"
#include "core/passes/split/hand_parts.h"
#include "core/passes/split/label_parts.h"
#include "widgets/canvas/box_states.h"
#include "widgets/document/graph_document.h"
#include "widgets/session/debug_service.h"
#include "widgets/session/layout_service.h"
#include "widgets/session/sizes_service.h"
#include "widgets/support/qt_text.h"

#include <algorithm>

namespace fx::ui {

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

struct BoundHue {
    Bound bound;
    QColor Tokens::*hue;
};
const BoundHue kBoundHues[] = {
    {Bound::Compute, &Tokens::heat}, {Bound::Memory, &Tokens::memory}, {Bound::Overhead, &Tokens::overhead}};

/// From the worst on; a value is of the first that it is.
struct HealthLevel {
    const char* name;
    QColor Tokens::*hue;
    bool (*isIt)(const Health& health);
};
const HealthLevel kHealthLevels[] = {
    {"NaN", &Tokens::fault, [](const Health& health) { return health.hasNan; }},
    {"Inf", &Tokens::number, [](const Health& health) { return health.hasInf; }},
    {"large, from 1e4", &Tokens::heat, [](const Health& health) { return health.isLarge(); }},
    {"all zero", &Tokens::wire, [](const Health& health) { return health.isZero(); }},
    {"healthy", &Tokens::healthy, [](const Health& health) { return health.largest.has_value(); }},
};

struct ChangeHue {
    NodeChange change;
    QColor Tokens::*hue;
};
const ChangeHue kChangeHues[] = {{NodeChange::Added, &Tokens::healthy},
                                 {NodeChange::Removed, &Tokens::fault},
                                 {NodeChange::OtherCall, &Tokens::heat},
                                 {NodeChange::Rewired, &Tokens::memory},
                                 {NodeChange::OtherArguments, &Tokens::selection},
                                 {NodeChange::Renamed, &Tokens::wire}};

QString healthNote(const Health& health, const HealthLevel& level) {
    const bool hasSize = health.isFinite() && !health.isZero();
    return hasSize ? QString("up to %1").arg(*health.largest, 0, 'g', 2) : QString(level.name);
}

/// The labels of the tensors in it.
template <class Label>
void addLabels(const ValueMeta& meta, const Label& label, QStringList& out) {
    if (const auto* tensor = std::get_if<TensorMeta>(&meta.value))
        out << qt(label(*tensor));
    else if (const auto* items = std::get_if<std::vector<ValueMeta>>(&meta.value))
        for (const ValueMeta& item : *items)
            addLabels(item, label, out);
}

std::string_view dtypeLabel(const TensorMeta& tensor) {
    return dtypeAbbreviation(tensor.dtype);
}

std::string deviceLabel(const TensorMeta& tensor) {
    return deviceText(tensor.device);
}

} // namespace

QColor hueOf(const std::vector<BoxGroup>& groups, size_t number, const Tokens& tokens) {
    const BoxGroup& group = groups[number];
    return group.hue      ? tokens.*group.hue
           : group.family ? tokens.family(*group.family)
                          : tokens.series(number);
}

void BoxStates::gatherColours(const Picture& picture) const {
    m_groups.clear();
    switch (m_colouring) {
    case Colouring::Kind:
        return;
    case Colouring::Family:
        return gatherFamilies(picture);
    case Colouring::Difference:
        return gatherDifferences(picture);
    case Colouring::Change:
        return gatherChanges(picture);
    case Colouring::Part:
        return gatherGroups(picture, "several parts", [](const Node& node) {
            const std::string part = tagOf(node, kPartTag);
            return part.empty() ? QStringList() : QStringList(qt(part));
        });
    case Colouring::Dtype:
        return gatherGroups(picture, "several dtypes",
                            [&](const Node& node) { return labelsOf(picture.module, node, dtypeLabel); });
    case Colouring::Device:
        return gatherGroups(picture, "several devices",
                            [&](const Node& node) { return labelsOf(picture.module, node, deviceLabel); });
    case Colouring::Health:
        return gatherHealth();
    default:
        gatherHeat(picture);
    }
}

void BoxStates::gatherHeat(const Picture& picture) const {
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
            if (const auto* hue =
                    std::ranges::find(kBoundHues, sums[i].prediction->bound(), &BoundHue::bound);
                hue != std::end(kBoundHues))
                state.group = groupNumber({qt(boundName(hue->bound)), hue->hue});
    }
}

template <class Label>
QStringList BoxStates::labelsOf(ModuleId module, const Node& node, const Label& label) const {
    const NodeRef ref{module, node.id};
    const bool hasRun = m_debug && !m_debug->run().isAhead(ref) && !m_debug->run().values().isStale(ref);
    const NodeRecord* record = hasRun ? m_debug->run().values().record(ref) : nullptr;
    const ValueMeta* value = record ? &record->value : m_sizes ? m_sizes->valueOf(ref) : nullptr;
    if (!value)
        value = knownValue(node.meta);
    QStringList out;
    if (value)
        addLabels(*value, label, out);
    return out;
}

/// A closed scope is in a group if all that is in one is in the same.
void BoxStates::gatherGroups(const Picture& picture, const QString& several,
                             const std::function<QStringList(const Node&)>& groupsOf) const {
    for (const Node& node : m_document.model().graph(picture.module)) {
        BoxState* state = at(picture, node.id);
        if (!state || state->note == several)
            continue;
        for (const QString& name : groupsOf(node)) {
            const bool isOther = !state->note.isEmpty() && state->note != name;
            state->note = isOther ? several : name;
        }
    }
    for (BoxState& state : m_states)
        if (!state.note.isEmpty())
            state.group = groupNumber({state.note, state.note == several ? &Tokens::wire : nullptr});
}

/// A closed scope with something else in it is a changed one.
void BoxStates::gatherChanges(const Picture& picture) const {
    if (picture.module != m_document.model().root())
        return;
    gatherGroups(picture, "changed", [this](const Node& node) {
        const auto found = m_changes.find(node.id);
        return found == m_changes.end() ? QStringList() : QStringList(qt(nodeChangeText(found->second)));
    });
    for (BoxGroup& group : m_groups)
        for (const ChangeHue& row : kChangeHues)
            if (group.name == qt(nodeChangeText(row.change)))
                group.hue = row.hue;
    for (size_t i = 0; i < m_states.size(); ++i) {
        const auto found = m_changes.find(picture.diagram.boxes[i].node);
        m_states[i].isGhost = found != m_changes.end() && found->second == NodeChange::Removed;
    }
}

/// Colours nodes alone: a closed scope has calls of many families.
void BoxStates::gatherFamilies(const Picture& picture) const {
    std::vector<int> groups(static_cast<size_t>(kLastCallFamily) + 1, -1);
    const auto isNode = [&](size_t box) { return picture.diagram.boxes[box].kind == DiagramBox::Kind::Node; };
    for (size_t i = 0; i < m_states.size(); ++i)
        if (isNode(i))
            groups[static_cast<size_t>(picture.families[i])] = 0;
    // In the legend always in the same order.
    for (size_t family = 0; family < groups.size(); ++family)
        if (groups[family] == 0)
            groups[family] = groupNumber(
                {qt(familyName(static_cast<CallFamily>(family))), nullptr, static_cast<CallFamily>(family)});
    for (size_t i = 0; i < m_states.size(); ++i)
        if (isNode(i))
            m_states[i].group = groups[static_cast<size_t>(picture.families[i])];
}

/// A closed scope is as the worst in it.
void BoxStates::gatherHealth() const {
    for (const HealthLevel& level : kHealthLevels)
        for (BoxState& state : m_states)
            if (state.group < 0 && level.isIt(state.health)) {
                state.group = groupNumber({level.name, level.hue});
                state.note = healthNote(state.health, level);
            }
}

int BoxStates::groupNumber(const BoxGroup& group) const {
    const auto found = std::ranges::find(m_groups, group.name, &BoxGroup::name);
    if (found != m_groups.end())
        return static_cast<int>(found - m_groups.begin());
    m_groups.push_back(group);
    return static_cast<int>(m_groups.size()) - 1;
}

} // namespace fx::ui
