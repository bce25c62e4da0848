// SPDX-License-Identifier: GPL-3.0-or-later
// The parts that a graph is split into, what crosses their borders, and in which order they can run.
// Who decides which node is in which part: label_parts.h, capability_parts.h, accelerator_parts.h.
#pragma once

#include "core/module/model.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace fx {

struct Part {
    std::string name;            ///< of the submodule that it becomes
    std::vector<NodeId> nodes;   ///< calls, each after those that it reads
    std::vector<NodeId> inputs;  ///< nodes outside that it reads, in the order in which it does
    std::vector<NodeId> outputs; ///< its nodes that others read
};

/// Whether the call changes how all that follows it is computed: autocast, inference mode, grad mode.
bool changesModes(const Node& node);
/// Of such a call: throws an Error that names it, unless all that it holds for, from where a mode begins to
/// where it ends, is one part, in the order of the graph.
void requireWholeRegion(const Graph& graph, const Node& begin, const std::vector<Part>& parts);

/// The nodes of a graph by their place in it.
class NodePlaces {
public:
    explicit NodePlaces(const Graph& graph);
    size_t size() const { return m_nodes.size(); }
    NodeId node(size_t place) const { return m_nodes[place]; }
    const std::vector<NodeId>& nodes() const { return m_nodes; }
    size_t of(NodeId node) const { return m_places[static_cast<size_t>(node.value)]; }

private:
    std::vector<NodeId> m_nodes;
    std::vector<size_t> m_places; ///< by id
};

/// For each node the part that it is in, or none.
class PartOfNode {
public:
    PartOfNode(const Graph& graph, const std::vector<Part>& parts);
    static constexpr int kNone = -1;
    int of(NodeId node) const { return m_parts[static_cast<size_t>(node.value)]; }

private:
    std::vector<int> m_parts;
};

/// Fills in what crosses the borders; outputs in the order in which the graph reads them.
void findBorders(const Graph& graph, std::vector<Part>& parts);
/// Of one part; outputs in the order of its nodes.
void findBorders(const Graph& graph, Part& part);

/// Of which parts each part reads something, and the node by which it first does.
std::vector<std::vector<std::pair<int, NodeId>>> readParts(const Graph& graph,
                                                           const std::vector<Part>& parts);
/// An order in which each part comes after those that it reads: where several could be next, the first of
/// the list, or with `isLatestFirst` the one that became ready last (split_module's). Throws an Error that
/// names a cycle where there is one.
std::vector<size_t> runOrder(const Graph& graph, const std::vector<Part>& parts, bool isLatestFirst);

} // namespace fx
