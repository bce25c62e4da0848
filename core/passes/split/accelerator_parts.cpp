// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/split/accelerator_parts.h"

#include "core/passes/split/label_parts.h"

#include <algorithm>
#include <deque>

namespace fx {

namespace {

bool isTensor(const Node& node) {
    const ValueMeta* value = knownValue(node.meta);
    return value && std::holds_alternative<TensorMeta>(value->value);
}

bool holdsTensor(const ValueMeta& value) {
    if (const auto* items = std::get_if<std::vector<ValueMeta>>(&value.value))
        return std::ranges::any_of(*items, holdsTensor);
    return std::holds_alternative<TensorMeta>(value.value);
}

class AcceleratorNodes {
public:
    AcceleratorNodes(const Graph& graph, Refusals& refusals)
        : m_graph(graph), m_places(graph), m_refusals(refusals), m_isAcc(m_places.size()),
          m_group(m_places.size(), -1) {
        for (size_t i = 0; i < m_places.size(); ++i)
            m_isAcc[i] = isCallNode(node(i)) && !refusals.contains(m_places.node(i));
    }

    /// Nodes between which something else than a tensor would cross the border go to the processor.
    void keepBorder() {
        std::deque<size_t> fresh;
        for (size_t i = 0; i < m_places.size(); ++i)
            if (isCallNode(node(i)) && !m_isAcc[i] && !isTensor(node(i)))
                fresh.push_back(i);
        refuseReaders(fresh);
        for (;;) {
            for (size_t i = 0; i < m_places.size(); ++i)
                if (m_isAcc[i] && !isTensor(node(i)) && hasReaderOutside(i))
                    fresh.push_back(i);
            if (fresh.empty())
                return;
            for (const size_t i : fresh)
                refuse(i, "gives other values than tensors to the processor");
            refuseReaders(fresh);
        }
    }

    /// Nodes that pass other values than tensors to each other stay together, with all that is between them.
    void groupNodes() {
        for (size_t i = 0; i < m_places.size(); ++i) {
            if (!m_isAcc[i] || m_group[i] >= 0 || hasTensors(i))
                continue;
            const std::vector<size_t> group = groupAround(i);
            if (std::ranges::all_of(group, [&](size_t each) { return m_isAcc[each]; })) {
                for (const size_t each : group)
                    m_group[each] = static_cast<int>(m_groups.size());
                m_groups.push_back(group);
            } else {
                for (const size_t each : group)
                    if (m_isAcc[each])
                        refuse(each, "belongs to nodes of which others are refused");
            }
        }
    }

    std::vector<LabelRun> runs() const {
        std::vector<int> labels(m_places.size());
        for (size_t i = 0; i < m_places.size(); ++i)
            labels[i] = m_isAcc[i];
        const bool startsOnProcessor = std::ranges::any_of(m_places.nodes(), [&](NodeId id) {
            const Node& each = m_graph.node(id);
            return isCallNode(each) && !m_isAcc[m_places.of(id)] &&
                   std::ranges::none_of(
                       each.inputs, [&](const InputUse& use) { return isCallNode(m_graph.node(use.node)); });
        });
        return labelRuns(m_graph, m_places, labels, waits(), startsOnProcessor ? 0 : 1);
    }

private:
    const Node& node(size_t place) const { return m_graph.node(m_places.node(place)); }
    bool hasTensors(size_t place) const {
        const ValueMeta* value = knownValue(node(place).meta);
        return value && holdsTensor(*value);
    }

    void refuse(size_t place, const char* reason) {
        m_isAcc[place] = false;
        m_refusals.emplace(m_places.node(place), reason);
    }

    bool hasReaderOutside(size_t place) const {
        return std::ranges::any_of(node(place).users,
                                   [&](NodeId user) { return !m_isAcc[m_places.of(user)]; });
    }

    void refuseReaders(std::deque<size_t>& fresh) {
        while (!fresh.empty()) {
            const size_t place = fresh.front();
            fresh.pop_front();
            for (const NodeId user : node(place).users) {
                const size_t reader = m_places.of(user);
                if (!m_isAcc[reader])
                    continue;
                refuse(reader, "reads other values than tensors from the processor");
                if (!isTensor(node(reader)))
                    fresh.push_back(reader);
            }
        }
    }

    std::vector<size_t> groupAround(size_t start) const {
        std::vector<bool> isIn(m_places.size());
        std::vector<size_t> group, fresh;
        const auto add = [&](size_t place) {
            if (isIn[place] || !isCallNode(node(place)))
                return;
            isIn[place] = true;
            group.push_back(place);
            fresh.push_back(place);
        };
        add(start);
        while (!fresh.empty()) {
            while (!fresh.empty()) {
                const size_t place = fresh.back();
                fresh.pop_back();
                if (!hasTensors(place))
                    for (const NodeId user : node(place).users)
                        add(m_places.of(user));
                for (const InputUse& use : node(place).inputs)
                    if (!hasTensors(m_places.of(use.node)))
                        add(m_places.of(use.node));
            }
            for (const size_t place : between(group, isIn))
                add(place);
        }
        return group;
    }

    /// What lies on a way from a node of the group to another.
    std::vector<size_t> between(const std::vector<size_t>& group, const std::vector<bool>& isIn) const {
        const auto [first, last] = std::ranges::minmax(group);
        std::vector<bool> isBelow(last - first + 1), isAbove(last - first + 1);
        for (size_t i = first; i <= last; ++i)
            isBelow[i - first] = isIn[i] || std::ranges::any_of(node(i).inputs, [&](const InputUse& use) {
                                     const size_t read = m_places.of(use.node);
                                     return read >= first && isBelow[read - first];
                                 });
        std::vector<size_t> out;
        for (size_t i = last + 1; i-- > first;) {
            isAbove[i - first] = isIn[i] || std::ranges::any_of(node(i).users, [&](NodeId user) {
                                     const size_t reader = m_places.of(user);
                                     return reader <= last && isAbove[reader - first];
                                 });
            if (isAbove[i - first] && isBelow[i - first] && !isIn[i])
                out.push_back(i);
        }
        return out;
    }

    /// A group waits for what any of it waits for, and its readers wait for all of it.
    std::vector<std::pair<size_t, size_t>> waits() const {
        std::vector<std::pair<size_t, size_t>> out;
        for (size_t number = 0; number < m_groups.size(); ++number) {
            const auto isIn = [&](size_t place) { return m_group[place] == static_cast<int>(number); };
            for (const size_t member : m_groups[number])
                for (const size_t other : m_groups[number]) {
                    for (const InputUse& use : node(other).inputs)
                        if (const size_t read = m_places.of(use.node); isCallNode(node(read)) && !isIn(read))
                            out.emplace_back(member, read);
                    for (const NodeId user : node(other).users)
                        if (const size_t reader = m_places.of(user);
                            isCallNode(node(reader)) && !isIn(reader))
                            out.emplace_back(reader, member);
                }
        }
        return out;
    }

    const Graph& m_graph;
    NodePlaces m_places;
    Refusals& m_refusals;
    std::vector<bool> m_isAcc;
    std::vector<int> m_group;
    std::vector<std::vector<size_t>> m_groups;
};

/// Small parts of the accelerator join what is before them.
std::vector<LabelRun> withoutSmallParts(std::vector<LabelRun> runs, size_t least) {
    std::vector<LabelRun> out;
    for (LabelRun& run : runs) {
        const bool isSmall = run.label == 1 && run.nodes.size() < least;
        const bool joins = !out.empty() && (isSmall || (run.label == 0 && out.back().label == 0));
        if (joins) {
            std::vector<NodeId>& into = out.back().nodes;
            into.insert(into.end(), run.nodes.begin(), run.nodes.end());
            continue;
        }
        out.push_back(std::move(run));
        if (isSmall)
            out.back().label = 0;
    }
    return out;
}

} // namespace

std::vector<Part> acceleratorParts(const Graph& graph, Refusals& refusals,
                                   const AcceleratorSettings& settings) {
    AcceleratorNodes nodes(graph, refusals);
    if (!settings.allowsNonTensor)
        nodes.keepBorder();
    if (!settings.skipsFusion)
        nodes.groupNodes();
    std::vector<Part> out;
    for (LabelRun& run : withoutSmallParts(nodes.runs(), static_cast<size_t>(settings.minAccModuleSize))) {
        std::ranges::sort(run.nodes, [&](NodeId a, NodeId b) { return graph.precedes(a, b); });
        const char* name = run.label == 1 ? "_run_on_acc_" : "_run_on_cpu_";
        out.push_back({name + std::to_string(out.size()), std::move(run.nodes), {}, {}});
    }
    return out;
}

} // namespace fx
