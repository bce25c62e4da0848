// SPDX-License-Identifier: GPL-3.0-or-later
// What the calls of a graph do beside giving a result: which compute from what they are given alone, and
// whose memory is written into, through whatever name of it. Errs on the side of too much.
#pragma once

#include "core/passes/clean/state_reads.h"

#include <unordered_map>
#include <vector>

namespace fx {

class Effects {
public:
    Effects(const Model& model, ModuleId module);

    /// Whether the call gives the same each time that it is given the same, and does nothing else.
    bool isPure(const Node& node) const;
    /// Whether some call of the graph, or of a module that it calls, writes into the memory of the value.
    bool isWritten(NodeId node) const { return knows(node) && m_written[static_cast<size_t>(classOf(node))]; }
    /// The inputs that the call may write into, of called modules too.
    std::vector<NodeId> writtenBy(const Node& node) const;

    /// Values with the same number may share memory.
    int32_t memoryOf(NodeId node) const { return classOf(node); }
    /// From now on the two are one.
    void shareMemory(NodeId a, NodeId b) { unite(a, b); }
    /// Whether the result of a call is in memory of its own.
    bool givesNewMemory(const Node& node) const;

    // A walk along the graph: how often the memory of a value has been written into so far.
    void walkOver(const Node& node);
    uint32_t writesInto(NodeId node) const {
        return knows(node) ? m_writes[static_cast<size_t>(classOf(node))] : 0;
    }

private:
    /// Not of nodes that were made since.
    bool knows(NodeId node) const { return static_cast<size_t>(node.value) < m_classes.size(); }
    int32_t classOf(NodeId node) const;
    void unite(NodeId a, NodeId b);
    bool isPureFunction(const Node& node) const;
    bool isPureModule(const Module& module) const;

    const Model& m_model;
    ModuleId m_module;
    mutable std::vector<int32_t> m_classes; ///< by node: a forest whose roots stand for memory
    std::vector<char> m_written;
    std::vector<uint32_t> m_writes;
    mutable std::unordered_map<Target, bool> m_newMemory[2], m_pure[2]; ///< of functions, of methods
};

} // namespace fx
