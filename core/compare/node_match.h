// SPDX-License-Identifier: GPL-3.0-or-later
// Which node of one graph is the same computation as which of another. The graphs may be two states of one
// model, two files, or a graph and what a compiler has made of it.
#pragma once

#include "core/ir/graph.h"

#include <string>
#include <utility>
#include <vector>

namespace fx {

/// Why two nodes are a pair; the earlier ones win.
enum class MatchKind {
    Hand,       ///< somebody has said so
    Id,         ///< the same node before and after an edit
    Provenance, ///< what the metadata say they were made from (torch's from_node)
    Name,
    Structure, ///< the same call of the same values, or the same place between nodes that are pairs
};
/// "by name": for people.
std::string_view matchKindText(MatchKind kind);

struct NodePair {
    NodeId a, b;
    MatchKind kind = MatchKind::Name;
};

struct NodeMatch {
    std::vector<NodePair> pairs;      ///< in the order of the second graph; a node is in one at most
    std::vector<NodeId> onlyA, onlyB; ///< in graph order
    /// For the second nodes of pairs, nodes of the first graph alone whose readers read them now: they may
    /// give what those gave, as a convolution does into which a batch normalisation was folded. The first
    /// node of a pair is then not what its second is to be compared with; values tell which is.
    std::vector<NodePair> alternatives;
};

struct PairingOptions {
    /// The graphs are states of one, so that an id means the same node in both.
    bool areIdsShared = false;
    /// By name. One of the names empty: the other has no partner.
    std::vector<std::pair<std::string, std::string>> byHand = {};
};

/// Throws an Error where a pair by hand names a node that is not there.
NodeMatch matchNodes(const Graph& a, const Graph& b, const PairingOptions& options = {});

} // namespace fx
