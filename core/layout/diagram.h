// SPDX-License-Identifier: GPL-3.0-or-later
// What of a graph is in the picture: nodes, scopes that are collapsed to one box or expanded around their
// nodes, and stubs that stand for a value with many readers beside each of them. A scope in which one node is
// seen is that node. Where things are is in placement.h.
#pragma once

#include "core/layout/level.h"
#include "core/module/scopes.h"

#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace fx {

struct DiagramBox {
    enum class Kind { Node, CollapsedScope, ExpandedScope, Stub };
    Kind kind = Kind::Node;
    NodeId node;     ///< of a node; of a stub, the value it stands for
    int scope = 0;   ///< of a scope, which one; else the scope it is in
    int parent = -1; ///< the expanded scope around it
    /// Top left corner and size; an expanded scope grows from its own around what is in it.
    double x = 0, y = 0, width = 0, height = 0;
    /// How much is done in it to what comes from the inputs of the graph: much by layers with weights, a
    /// little by other calls, nothing by those that compute with constants alone, such as a mask.
    double load = 0;
    size_t seen = 0;    ///< of a scope: its nodes but for hidden ones, with those of scopes in it
    int standsFor = -1; ///< of a node: the scope in which nothing else is seen
    int beside = -1;    ///< of a stub, a weight or a constant that one box alone reads: that box
};

struct DiagramEdge {
    int from = 0, to = 0;    ///< boxes
    NodeId value;            ///< what flows
    std::vector<Point> path; ///< cubic Bezier curves, 1 + 3n points
};

struct Diagram {
    std::vector<DiagramBox> boxes; ///< an expanded scope comes before what is in it
    std::vector<DiagramEdge> edges;
    double width = 0, height = 0;
    bool isFinal = true; ///< false: a quick placement stands in for a better one

    /// The box that shows a node: its own or that of the collapsed scope it is in; -1 for a hidden one.
    int boxOf(NodeId node) const;
    std::unordered_map<NodeId, int> boxByNode;
};

struct DiagramOptions {
    std::set<std::string> expandedScopes; ///< paths
    bool showsWeights = true;             ///< get_attr nodes
    /// Nothing else is in the picture, where there are any.
    std::unordered_set<NodeId> only;
    size_t hubLimit = 4; ///< a value with more readers is split into stubs
};

Diagram buildDiagram(const Graph& graph, const ScopeTree& scopes, const DiagramOptions& options);

/// The scopes to expand at first, so that a picture of about `mostBoxes` boxes results, weights not counted.
/// `opensLeaves`: also those inside others that call no other module.
std::set<std::string> scopesToExpand(const Graph& graph, const ScopeTree& scopes, size_t mostBoxes,
                                     bool opensLeaves = false);

} // namespace fx
