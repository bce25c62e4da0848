// SPDX-License-Identifier: GPL-3.0-or-later
// One search of a pattern in a graph: which nodes are tried for which anchor, in torch.fx's order, and what
// becomes of a match that is found. Only subgraph_matcher.h and explain.h use it.
#pragma once

#include "core/rewrite/subgraph_matcher.h"

namespace fx {

/// A match of the whole pattern that may not be replaced, and why.
struct DroppedMatch {
    enum class Reason { ReadOutside, Cycle, Overlap };
    SubgraphMatch match;
    Reason reason = Reason::Overlap;
    NodeId node, reader; ///< of ReadOutside: the inner node and who reads it
};

class MatchSearch {
public:
    MatchSearch(const SubgraphMatcher& matcher, OwnedGraph target, std::string_view nameContains);

    std::vector<SubgraphMatch> run();
    /// Keeps the first matches that run() drops.
    void keepDropped(std::vector<DroppedMatch>& into, size_t limit);

private:
    /// The nodes like an anchor, in graph order.
    struct Candidates {
        NodeId anchor;
        std::vector<NodeId> nodes;
        std::vector<uint32_t> following; ///< of each place, one further on with nothing to try between
    };
    /// A way from a node of the pattern to an anchor, for finding candidates from what is bound already.
    struct Route {
        NodeId node;
        int reader; ///< index of the next step; -1 for the anchor itself
    };
    /// One anchor in the backtracking: what is being tried for it.
    struct Level {
        std::vector<NodeId> near; ///< candidates found by a route
        bool isNear = false;
        size_t next = 0;
        size_t trailSize = 0;
    };

    void collectCandidates();
    void collectRoutes();
    void enter(size_t level);
    NodeId nextCandidate(size_t level);
    bool findNear(size_t level);

    bool bindTree(NodeId anchor, NodeId candidate);
    bool bindNode(NodeId pattern, NodeId node, std::string_view nameContains = {});
    bool bindLiteral(const Argument& pattern, const Argument& value);
    void bind(NodeId pattern, Argument value);
    void rewind(size_t trailSize);

    /// True if the match is kept.
    bool take();
    SubgraphMatch currentMatch() const;
    bool isReadOutside(DroppedMatch& dropped) const;
    bool formsCycle();
    bool overlaps() const;
    void drop(DroppedMatch dropped);

    const Argument* bound(NodeId pattern) const;
    const Node& patternNode(NodeId id) const { return m_comparison.pattern().node(id); }
    const Node& node(NodeId id) const { return m_comparison.target().node(id); }
    /// The pattern's placeholders and output are bound, but are not part of what is replaced.
    bool isComputed(NodeId pattern) const;
    /// Whether a bound node is part of what is replaced.
    bool isInside(NodeId node) const;
    NodeId& holder(NodeId node) { return m_holder[static_cast<size_t>(node.value)]; }
    NodeId holder(NodeId node) const { return m_holder[static_cast<size_t>(node.value)]; }
    bool isTaken(NodeId node) const { return m_isTaken[static_cast<size_t>(node.value)]; }

    const SubgraphMatcher& m_matcher;
    NodeComparison m_comparison;
    std::string_view m_nameContains;
    /// Trying a candidate may end in an error that torch.fx raises too, and with literals ignored a node of
    /// the pattern may stand where the graph has a constant: then no candidate is passed over.
    bool m_mayThrow = false;
    bool m_skipsTaken = false; ///< nodes of a kept match are not tried again
    bool m_isSorted = true;

    std::vector<Candidates> m_candidates;
    std::vector<std::vector<Route>> m_routes; ///< by level
    std::vector<Level> m_levels;

    std::vector<Argument> m_bound; ///< by pattern node
    std::vector<bool> m_isBound, m_isReturned;
    std::vector<NodeId> m_holder; ///< by node of the graph: the pattern node that it is bound to
    std::vector<NodeId> m_trail;  ///< the bound pattern nodes in order
    std::vector<FacingArguments> m_pending, m_faced;

    std::vector<bool> m_isTaken; ///< by node: part of a kept match
    std::vector<uint32_t> m_visited;
    uint32_t m_visit = 0;
    std::vector<SubgraphMatch> m_matches;
    std::vector<DroppedMatch>* m_dropped = nullptr;
    size_t m_dropLimit = 0;
};

} // namespace fx
