// SPDX-License-Identifier: GPL-3.0-or-later
// Finds where a pattern, which is a graph itself, occurs in a graph: torch.fx's SubgraphMatcher with the same
// matches in the same order. Replacing what was found is in replace_pattern.h, why nothing was found in
// explain.h.
#pragma once

#include "core/rewrite/node_comparison.h"

#include <string>
#include <vector>

namespace fx {

/// What each node of a pattern stands for, in the order in which that was found out.
class PatternMap {
public:
    struct Entry {
        NodeId pattern;
        Argument value; ///< a node of the graph; for a placeholder of the pattern, any argument
    };
    const std::vector<Entry>& entries() const { return m_entries; }
    /// Null for a node that was not met.
    const Argument* find(NodeId pattern) const;

    void reserve(size_t entries, NodeId nextPatternId);
    void add(NodeId pattern, Argument value);
    /// Lets what stands for `value` stand for another; the first of them, if there are several.
    void replaceFirst(const Argument& value, const Argument& fresh);

private:
    std::vector<Entry> m_entries;
    std::vector<int32_t> m_indexOf; ///< by the pattern node's id; -1: not met
};

/// One place where the pattern occurs.
struct SubgraphMatch {
    NodeId anchor; ///< the node of the pattern from which the search began
    PatternMap nodes;
    Arguments placeholders; ///< what the pattern's placeholders stand for, in their order
    Arguments returned;     ///< and the nodes that it returns
};

struct MatchOptions {
    bool matchOutput = false;      ///< the pattern's output is part of it and must be the graph's
    bool matchPlaceholder = false; ///< its placeholders must be the graph's; else they stand for anything
    /// Of matches that share a node the first is kept. Without it, as in torch.fx, matches that would make a
    /// cycle are kept as well.
    bool removeOverlapping = true;
    bool ignoreLiterals = false; ///< any value will do where the pattern has a constant
};

/// A pattern made ready. The model must outlive it.
///
/// An anchor is a node that only the output of the pattern reads; the search begins at each node of the graph
/// that is like an anchor, in graph order, and goes up both graphs. A match is dropped if a node inside it is
/// read from outside, or if its nodes could not be put into one node without a cycle.
class SubgraphMatcher {
public:
    /// Throws torch.fx's errors for a pattern that is empty or has nodes that nobody reads.
    explicit SubgraphMatcher(OwnedGraph pattern, MatchOptions options = {});

    /// With `nodeNameContains`, a node with that in its name is like every anchor.
    /// Takes time in proportion to the graph and to what is found, for a pattern with one anchor or with
    /// anchors that hang together.
    std::vector<SubgraphMatch> match(OwnedGraph target, std::string_view nodeNameContains = {}) const;

    const OwnedGraph& pattern() const { return m_pattern; }
    const MatchOptions& options() const { return m_options; }
    const std::vector<NodeId>& placeholders() const { return m_placeholders; }
    const std::vector<NodeId>& returned() const { return m_returned; }
    const std::vector<NodeId>& anchors() const { return m_anchors; }

private:
    OwnedGraph m_pattern;
    MatchOptions m_options;
    std::vector<NodeId> m_placeholders, m_returned, m_anchors;
};

} // namespace fx
