// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analyze/timeline.h"

#include "core/module/scopes.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace fx {

namespace {

/// Scopes from the outermost to that of the node, without the root.
std::vector<int> scopesAround(const ScopeTree& tree, NodeId node) {
    std::vector<int> out;
    for (int scope = tree.scopeOf(node); scope > 0; scope = tree.scope(scope).parent)
        out.insert(out.begin(), scope);
    return out;
}

void addScopes(Timeline& out, const Graph& graph) {
    const ScopeTree tree(graph);
    std::vector<std::pair<int, size_t>> open; // scope, and its place in out.scopes
    for (const TimelineSpan& span : out.spans) {
        const Opcode opcode = graph.node(span.node.node).opcode;
        if (opcode == Opcode::Placeholder || opcode == Opcode::GetAttr || opcode == Opcode::Output)
            continue; // read on the way, from within whatever module
        const std::vector<int> around = scopesAround(tree, span.node.node);
        size_t same = 0;
        while (same < open.size() && same < around.size() && open[same].first == around[same])
            ++same;
        open.resize(same);
        for (size_t depth = same; depth < around.size(); ++depth) {
            open.emplace_back(around[depth], out.scopes.size());
            out.scopes.push_back({tree.scope(around[depth]).path, static_cast<int>(depth), span.start,
                                  span.end(), 0, span.node.node});
        }
        for (const auto& [scope, at] : open) {
            out.scopes[at].end = std::max(out.scopes[at].end, span.end());
            out.scopes[at].milliseconds += span.milliseconds;
        }
    }
}

/// Memory that values share counts once.
class HeldMemory {
public:
    void add(NodeId node, const std::vector<StorageUse>& storages) {
        m_values[node] = &storages;
        for (const StorageUse& use : storages)
            if (!m_isWeight.contains(use.id) && ++m_uses[use.id] == 1)
                m_bytes += use.bytes;
    }
    void addWeight(const std::vector<StorageUse>& storages) {
        for (const StorageUse& use : storages)
            m_isWeight.insert(use.id);
    }
    void release(NodeId node) {
        const auto found = m_values.find(node);
        if (found == m_values.end())
            return;
        for (const StorageUse& use : *found->second)
            if (!m_isWeight.contains(use.id) && --m_uses[use.id] == 0)
                m_bytes -= use.bytes;
        m_values.erase(found);
    }
    uint64_t bytes() const { return m_bytes; }
    std::vector<LiveValue> values(const std::vector<NodeId>& order) const {
        std::vector<LiveValue> out;
        std::set<uint64_t> counted;
        for (const NodeId node : order) {
            const auto found = m_values.find(node);
            if (found == m_values.end())
                continue;
            uint64_t bytes = 0;
            for (const StorageUse& use : *found->second)
                if (!m_isWeight.contains(use.id) && counted.insert(use.id).second)
                    bytes += use.bytes;
            if (bytes)
                out.push_back({node, bytes});
        }
        std::stable_sort(out.begin(), out.end(),
                         [](const LiveValue& a, const LiveValue& b) { return a.bytes > b.bytes; });
        return out;
    }

private:
    std::unordered_map<NodeId, const std::vector<StorageUse>*> m_values;
    std::unordered_map<uint64_t, int> m_uses;
    std::set<uint64_t> m_isWeight;
    uint64_t m_bytes = 0;
};

void addMemory(Timeline& out, const Graph& graph, const std::vector<const NodeRecord*>& records) {
    std::unordered_map<NodeId, std::vector<NodeId>> lastReads; // node that runs: what is released after it
    std::vector<NodeId> order;
    for (const Node& node : graph) {
        if (node.isErased)
            continue;
        NodeId last = node.id;
        for (const NodeId user : node.users)
            if (graph.contains(user) && graph.precedes(last, user))
                last = user;
        if (node.opcode != Opcode::Output)
            lastReads[last].push_back(node.id);
    }
    HeldMemory live;
    for (size_t i = 0; i < records.size(); ++i) {
        const NodeRecord* record = records[i];
        const Node& node = graph.node(record->node.node);
        order.push_back(node.id);
        if (node.opcode == Opcode::GetAttr)
            live.addWeight(record->storages);
        else if (node.opcode != Opcode::Output)
            live.add(node.id, record->storages);
        out.memory.push_back({out.spans[i].end(), live.bytes(), node.id});
        if (live.bytes() > out.memory[out.peak].bytes || out.memory.size() == 1) {
            out.peak = out.memory.size() - 1;
            out.alive = live.values(order);
        }
        if (node.opcode == Opcode::Output)
            continue; // what it hands on stays
        for (const NodeId dead : lastReads[node.id])
            live.release(dead);
    }
}

} // namespace

Timeline timelineOf(const Graph& graph, ModuleId module, const std::vector<const NodeRecord*>& records) {
    Timeline out;
    std::vector<const NodeRecord*> own;
    for (const NodeRecord* record : records)
        if (record->node.module == module && graph.contains(record->node.node))
            own.push_back(record);
    std::stable_sort(own.begin(), own.end(),
                     [](const NodeRecord* a, const NodeRecord* b) { return a->startedAt < b->startedAt; });
    double end = 0;
    for (const NodeRecord* record : own) {
        out.spans.push_back({record->node, out.nodeSum, record->milliseconds});
        out.nodeSum += record->milliseconds;
        end = std::max(end, record->startedAt + record->milliseconds);
    }
    if (own.empty())
        return out;
    out.wall = end - own.front()->startedAt;
    addScopes(out, graph);
    addMemory(out, graph, own);
    return out;
}

} // namespace fx
