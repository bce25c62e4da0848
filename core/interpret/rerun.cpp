// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes that share memory which one of them writes into run together or not at all. Which do is seen in the
// values themselves; only of those that have not run it is taken from the graph.
#include "core/interpret/rerun.h"

#include "core/interpret/call_effects.h"
#include "core/interpret/touched.h"
#include "core/interpret/written_tensors.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace fx {

namespace {

/// Nodes whose values share memory that is written into.
struct WrittenMemory {
    std::vector<NodeId> nodes; ///< that hold it or write into it
    size_t lastWrite = 0;      ///< a place in the graph
};

class RerunFinder {
public:
    RerunFinder(const Model& model, const EarlierRun& earlier)
        : m_model(model), m_graph(model.graph()), m_earlier(earlier) {
        for (const Node& node : m_graph)
            m_places.emplace(node.id, m_places.size());
        findWrittenMemory();
    }

    Rerun find(const std::set<NodeRef>& changed) {
        for (const NodeRef node : dependentsOf(m_model, changed))
            if (node.module == m_model.root())
                take(node.node, true);
        for (const Node& node : m_graph)
            if (node.opcode == Opcode::Placeholder || node.opcode == Opcode::Output)
                take(node.id, false); // costs nothing
            else if (!m_earlier.values.find(at(node.id)) && !m_earlier.values.wasDropped(at(node.id)))
                take(node.id, true);
        while (!m_open.empty()) {
            const NodeId id = m_open.back();
            m_open.pop_back();
            follow(m_graph.node(id));
        }
        lookForDraws();
        Rerun out;
        out.whyAll = m_whyAll;
        for (const auto& [id, isChanged] : m_runs)
            out.nodes.insert(id);
        return out;
    }

private:
    NodeRef at(NodeId node) const { return {m_model.root(), node}; }
    size_t placeOf(NodeId node) const { return m_places.at(node); }

    void runAll(const std::string& why) {
        if (m_whyAll.empty())
            m_whyAll = why;
    }

    void take(NodeId id, bool isChanged) {
        const auto [known, isNew] = m_runs.try_emplace(id, isChanged);
        if (isNew || (isChanged && !known->second))
            m_open.push_back(id);
        known->second |= isChanged;
    }

    void follow(const Node& node) {
        const bool isChanged = m_runs.at(node.id);
        if (isChanged)
            for (const NodeId user : node.users)
                take(user, true);
        takeMemory(node.id, 0, isChanged);
        for (const InputUse& use : node.inputs) {
            if (!m_earlier.values.find(at(use.node)))
                take(use.node, false);
            takeMemory(use.node, placeOf(node.id), false);
        }
    }

    /// The memory is not any more what is read at that place: it has to be made again. Where one that holds
    /// it or writes into it changes, so do all of them.
    void takeMemory(NodeId id, size_t readAt, bool isChanged) {
        const auto found = m_memoryOf.find(id);
        if (found == m_memoryOf.end() || m_memories[found->second].lastWrite < readAt)
            return;
        for (const NodeId node : m_memories[found->second].nodes)
            take(node, isChanged);
    }

    void lookForDraws() {
        size_t first = m_graph.size();
        for (const auto& [id, isChanged] : m_runs)
            if (isChanged)
                first = std::min(first, placeOf(id));
        for (const NodeId drew : m_earlier.drew)
            if (!m_graph.contains(drew))
                runAll("a node that drew random numbers is gone");
            else if (m_runs.contains(drew) || placeOf(drew) >= first)
                runAll(m_graph.node(drew).name + " draws random numbers");
    }

    // --- Memory that is written into: a forest of nodes, each tree with one memory

    NodeId treeOf(NodeId id) {
        NodeId& parent = m_parents.try_emplace(id, id).first->second;
        return parent == id ? id : parent = treeOf(parent);
    }
    void join(NodeId a, NodeId b) { m_parents[treeOf(a)] = treeOf(b); }

    void findWrittenMemory() {
        EffectsFinder effects(m_model);
        std::map<NodeId, std::vector<NodeId>> writers;
        bool callsModules = false;
        for (const Node& node : m_graph) {
            callsModules |= node.opcode == Opcode::CallModule;
            CallEffects found = effects.of(m_model.root(), node);
            if (found.hasState)
                runAll(node.name + " may change what its module holds");
            if (!found.written.empty())
                writers.emplace(node.id, std::move(found.written));
        }
        if (writers.empty())
            return;
        for (const Node& node : m_graph)
            if (m_earlier.values.wasDropped(at(node.id)))
                runAll("the value of " + node.name + " is gone, and something is written into");
        joinThoseThatShare();
        for (const auto& [writer, written] : writers)
            for (const NodeId id : written) {
                join(writer, id);
                if (const Value* value = m_earlier.values.find(at(id)); value && !value->isTensor())
                    runAll(m_graph.node(writer).name + " writes into what is no tensor");
            }
        std::map<NodeId, size_t> memories;
        for (const auto& [writer, written] : writers) {
            const auto [known, isNew] = memories.try_emplace(treeOf(writer), m_memories.size());
            if (isNew)
                m_memories.emplace_back();
            size_t& last = m_memories[known->second].lastWrite;
            last = std::max(last, placeOf(writer));
        }
        for (const Node& node : m_graph)
            if (const auto memory = memories.find(treeOf(node.id)); memory != memories.end()) {
                m_memoryOf[node.id] = memory->second;
                m_memories[memory->second].nodes.push_back(node.id);
                if (node.opcode == Opcode::GetAttr && callsModules)
                    runAll(node.name + " is written into, and a module may hold it");
            }
    }

    void joinThoseThatShare() {
        std::map<uint64_t, NodeId> holders;
        for (const Node& node : m_graph) {
            const Value* value = m_earlier.values.find(at(node.id));
            if (!value) {
                if (mayShareMemory(node))
                    for (const InputUse& use : node.inputs)
                        join(node.id, use.node);
                continue;
            }
            for (const StorageUse& use : storagesOf(*value))
                if (const auto [holder, isNew] = holders.try_emplace(use.id, node.id); use.id && !isNew)
                    join(node.id, holder->second);
        }
    }

    const Model& m_model;
    const Graph& m_graph;
    const EarlierRun& m_earlier;
    std::map<NodeId, size_t> m_places;
    std::map<NodeId, NodeId> m_parents;
    std::vector<WrittenMemory> m_memories;
    std::map<NodeId, size_t> m_memoryOf;
    std::map<NodeId, bool> m_runs; ///< and whether the value will be another one
    std::vector<NodeId> m_open;
    std::string m_whyAll;
};

} // namespace

Rerun rerunOf(const Model& model, const std::set<NodeRef>& changed, const EarlierRun& earlier) {
    return RerunFinder(model, earlier).find(changed);
}

} // namespace fx
