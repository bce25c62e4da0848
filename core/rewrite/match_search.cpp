// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rewrite/match_search.h"

#include "core/base/error.h"
#include "core/rewrite/literals.h"

#include <algorithm>
#include <utility>

namespace fx {

MatchSearch::MatchSearch(const SubgraphMatcher& matcher, OwnedGraph target, std::string_view nameContains)
    : m_matcher(matcher), m_comparison(matcher.pattern(), target, matcher.options().matchPlaceholder),
      m_nameContains(nameContains) {
    const auto patternIds = static_cast<size_t>(matcher.pattern().graph().nextId().value);
    const auto ids = static_cast<size_t>(target.graph().nextId().value);
    m_bound.resize(patternIds);
    m_isBound.resize(patternIds);
    m_isReturned.resize(patternIds);
    for (NodeId id : matcher.returned())
        m_isReturned[static_cast<size_t>(id.value)] = true;
    m_holder.resize(ids);
    m_isTaken.resize(ids);

    // A later match that shares a node with a kept one is dropped anyway, so that it need not be looked for;
    // but where looking for it could end in an error, it must be.
    for (const Node& node : matcher.pattern().graph()) {
        if (node.opcode != Opcode::GetAttr)
            continue;
        const AttributeKind kind = attributeKind(matcher.pattern(), node.target.name());
        m_mayThrow = m_mayThrow || (kind != AttributeKind::Parameter && kind != AttributeKind::Tensor);
    }
    m_mayThrow = m_mayThrow || matcher.options().ignoreLiterals;
    m_skipsTaken = matcher.options().removeOverlapping && !m_mayThrow;
}

void MatchSearch::keepDropped(std::vector<DroppedMatch>& into, size_t limit) {
    m_dropped = &into;
    m_dropLimit = limit;
}

bool MatchSearch::isComputed(NodeId pattern) const {
    const Opcode opcode = patternNode(pattern).opcode;
    return opcode != Opcode::Placeholder && opcode != Opcode::Output;
}

bool MatchSearch::isInside(NodeId node) const {
    return holder(node) && isComputed(holder(node));
}

const Argument* MatchSearch::bound(NodeId pattern) const {
    const auto at = static_cast<size_t>(pattern.value);
    return m_isBound[at] ? &m_bound[at] : nullptr;
}

// --- Which nodes are tried.

void MatchSearch::collectCandidates() {
    const Graph& graph = m_comparison.target().graph();
    for (NodeId anchor : m_matcher.anchors()) {
        Candidates candidates{anchor, {}, {}};
        for (const Node& node : graph)
            if (m_comparison.areEqual(patternNode(anchor), node, m_nameContains))
                candidates.nodes.push_back(node.id);
        for (uint32_t i = 0; i < candidates.nodes.size(); ++i)
            candidates.following.push_back(i + 1);
        // An anchor that is like no node is passed over; torch.fx misses it in the first match of the others.
        if (!candidates.nodes.empty())
            m_candidates.push_back(std::move(candidates));
    }
    for (const Node& node : graph)
        for (const InputUse& use : node.inputs)
            m_isSorted = m_isSorted && graph.precedes(use.node, node.id);
}

void MatchSearch::collectRoutes() {
    constexpr size_t kEnough = 64;
    m_routes.resize(m_candidates.size());
    for (size_t level = 1; level < m_candidates.size(); ++level) {
        std::vector<Route>& routes = m_routes[level];
        std::vector<bool> isMet(m_bound.size());
        routes.push_back({m_candidates[level].anchor, -1});
        for (size_t i = 0; i < routes.size() && routes.size() < kEnough; ++i) {
            for (const InputUse& use : patternNode(routes[i].node).inputs) {
                if (isMet[static_cast<size_t>(use.node.value)])
                    continue;
                isMet[static_cast<size_t>(use.node.value)] = true;
                routes.push_back({use.node, static_cast<int>(i)});
            }
        }
    }
}

/// What an anchor reads may be bound already; then only the readers of that can be the anchor. False where no
/// such thing is known, so that all candidates must be tried.
bool MatchSearch::findNear(size_t level) {
    if (m_mayThrow)
        return false;
    const Route* from = nullptr;
    size_t fewest = 0;
    for (const Route& route : m_routes[level]) {
        const Argument* value = bound(route.node);
        if (!value || !value->node())
            continue;
        const size_t readers = node(value->node()).users.size();
        if (from && readers >= fewest)
            continue;
        from = &route;
        fewest = readers;
    }
    // What everybody reads narrows nothing down, and of the candidates the taken ones are passed over.
    if (!from || fewest >= m_candidates[level].nodes.size())
        return false;
    std::vector<NodeId>& found = m_levels[level].near;
    found = {bound(from->node)->node()};
    for (const Route* step = from; step->reader >= 0;) {
        step = &m_routes[level][static_cast<size_t>(step->reader)];
        const std::string_view name = step->reader < 0 ? m_nameContains : std::string_view();
        std::vector<NodeId> readers;
        for (NodeId read : found)
            for (NodeId user : node(read).users)
                if (m_comparison.areEqual(patternNode(step->node), node(user), name))
                    readers.push_back(user);
        const Graph& graph = m_comparison.target().graph();
        std::sort(readers.begin(), readers.end(), [&](NodeId a, NodeId b) { return graph.precedes(a, b); });
        readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
        found = std::move(readers);
    }
    return true;
}

void MatchSearch::enter(size_t at) {
    Level& level = m_levels[at];
    level.trailSize = m_trail.size();
    level.next = 0;
    level.isNear = at > 0 && findNear(at);
}

NodeId MatchSearch::nextCandidate(size_t at) {
    Level& level = m_levels[at];
    if (level.isNear)
        return level.next < level.near.size() ? level.near[level.next++] : NodeId();
    Candidates& candidates = m_candidates[at];
    const bool maySkip = m_skipsTaken && isComputed(candidates.anchor);
    size_t to = level.next;
    while (maySkip && to < candidates.nodes.size() && isTaken(candidates.nodes[to]))
        to = candidates.following[to];
    // Whoever comes here again jumps over the taken ones at once.
    for (size_t passed = level.next; passed < to;)
        passed = std::exchange(candidates.following[passed], static_cast<uint32_t>(to));
    if (to >= candidates.nodes.size())
        return {};
    level.next = to + 1;
    return candidates.nodes[to];
}

// --- The search.

std::vector<SubgraphMatch> MatchSearch::run() {
    collectCandidates();
    collectRoutes();
    if (m_candidates.empty())
        return {};
    m_levels.resize(m_candidates.size());
    // Once a match is kept, every other one with the same node for the same anchor shares that node with it.
    size_t firstComputed = 0;
    while (firstComputed < m_candidates.size() && !isComputed(m_candidates[firstComputed].anchor))
        ++firstComputed;
    size_t at = 0;
    enter(at);
    while (true) {
        rewind(m_levels[at].trailSize);
        const NodeId candidate = nextCandidate(at);
        if (!candidate) {
            if (at == 0)
                break;
            --at;
        } else if (bindTree(m_candidates[at].anchor, candidate)) {
            if (at + 1 < m_levels.size())
                enter(++at);
            else if (take() && m_skipsTaken)
                at = std::min(at, firstComputed);
        }
    }
    return std::move(m_matches);
}

void MatchSearch::bind(NodeId pattern, Argument value) {
    if (value.node())
        holder(value.node()) = pattern;
    m_isBound[static_cast<size_t>(pattern.value)] = true;
    m_bound[static_cast<size_t>(pattern.value)] = std::move(value);
    m_trail.push_back(pattern);
}

void MatchSearch::rewind(size_t trailSize) {
    for (; m_trail.size() > trailSize; m_trail.pop_back()) {
        const auto at = static_cast<size_t>(m_trail.back().value);
        if (const NodeId held = m_bound[at].node())
            holder(held) = NodeId();
        m_isBound[at] = false;
    }
}

bool MatchSearch::bindNode(NodeId pattern, NodeId id, std::string_view nameContains) {
    if (const Argument* known = bound(pattern))
        return known->node() == id;
    if (holder(id) || (m_skipsTaken && isTaken(id) && isComputed(pattern)))
        return false;
    if (!m_comparison.areEqual(patternNode(pattern), node(id), nameContains))
        return false;
    bind(pattern, id);
    if (patternNode(pattern).opcode == Opcode::Placeholder)
        return true;
    m_faced.clear();
    if (!m_comparison.face(patternNode(pattern), node(id), m_faced))
        return false;
    m_pending.insert(m_pending.end(), m_faced.rbegin(), m_faced.rend());
    return true;
}

bool MatchSearch::bindLiteral(const Argument& pattern, const Argument& value) {
    const NodeId id = pattern.node();
    if (!id)
        return !value.node() && isSameLiteral(pattern, value, NodesAre::OfTwoGraphs);
    if (patternNode(id).opcode != Opcode::Placeholder)
        return false;
    if (const Argument* known = bound(id))
        return isEqualInPython(*known, value, NodesAre::OfOneGraph);
    bind(id, value);
    return true;
}

/// Goes up from the anchor, each node's arguments before what comes after the node: the order decides in
/// which order nodes are bound. A pattern may be deep, so what is still to do is on a stack of our own.
bool MatchSearch::bindTree(NodeId anchor, NodeId candidate) {
    m_pending.clear();
    if (!bindNode(anchor, candidate, m_nameContains))
        return false;
    while (!m_pending.empty()) {
        const auto [pattern, value] = m_pending.back();
        m_pending.pop_back();
        const Arguments *wanted = pattern->items(), *found = value->items();
        if (pattern->node() && value->node()) {
            if (!bindNode(pattern->node(), value->node()))
                return false;
        } else if (wanted && found) {
            if (wanted->size() != found->size())
                return false;
            for (size_t i = wanted->size(); i-- > 0;)
                m_pending.push_back({&(*wanted)[i], &(*found)[i]});
        } else if (!bindLiteral(*pattern, *value) && !m_matcher.options().ignoreLiterals) {
            return false;
        }
    }
    return true;
}

// --- What becomes of a match.

SubgraphMatch MatchSearch::currentMatch() const {
    const auto valueOf = [this](NodeId pattern) -> const Argument& {
        if (const Argument* value = bound(pattern))
            return *value;
        throw Error("", patternNode(pattern).name)
            .kind("KeyError")
            .hint("nothing of the graph stands for '" + patternNode(pattern).name + "' of the pattern");
    };
    SubgraphMatch match;
    match.anchor = m_matcher.anchors()[0];
    for (NodeId id : m_matcher.placeholders())
        match.placeholders.push_back(valueOf(id));
    for (NodeId id : m_matcher.returned())
        match.returned.push_back(valueOf(id));
    match.nodes.reserve(m_trail.size(), m_matcher.pattern().graph().nextId());
    for (NodeId id : m_trail)
        match.nodes.add(id, *bound(id));
    return match;
}

bool MatchSearch::isReadOutside(DroppedMatch& dropped) const {
    for (NodeId pattern : m_trail) {
        const bool isInner = patternNode(pattern).opcode != Opcode::Placeholder &&
                             !m_isReturned[static_cast<size_t>(pattern.value)];
        if (!isInner)
            continue;
        for (NodeId user : node(bound(pattern)->node()).users) {
            if (holder(user) && patternNode(holder(user)).opcode != Opcode::Placeholder)
                continue;
            dropped.reason = DroppedMatch::Reason::ReadOutside;
            dropped.node = bound(pattern)->node();
            dropped.reader = user;
            return true;
        }
    }
    return false;
}

/// Whether a value goes out of the match and comes back in. In a sorted graph nothing comes back into the
/// match from behind its last node, so that a match with one result is never searched at all.
bool MatchSearch::formsCycle() {
    const Graph& graph = m_comparison.target().graph();
    uint64_t last = 0;
    for (NodeId pattern : m_trail)
        if (isComputed(pattern))
            last = std::max(last, node(bound(pattern)->node()).order);
    const auto mayReach = [&](NodeId id) { return !m_isSorted || graph.node(id).order <= last; };
    m_visited.resize(static_cast<size_t>(graph.nextId().value));
    ++m_visit;
    std::vector<NodeId> queue;
    const auto push = [&](NodeId id) {
        uint32_t& visited = m_visited[static_cast<size_t>(id.value)];
        if (visited != m_visit && mayReach(id))
            queue.push_back(id);
        visited = m_visit;
    };
    for (NodeId pattern : m_trail) {
        if (!isComputed(pattern) || (m_isSorted && node(bound(pattern)->node()).order == last))
            continue;
        for (NodeId user : node(bound(pattern)->node()).users)
            if (!isInside(user))
                push(user);
    }
    while (!queue.empty()) {
        const NodeId id = queue.back();
        queue.pop_back();
        if (isInside(id))
            return true;
        for (NodeId user : node(id).users)
            push(user);
    }
    return false;
}

bool MatchSearch::overlaps() const {
    return m_matcher.options().removeOverlapping &&
           std::any_of(m_trail.begin(), m_trail.end(), [this](NodeId pattern) {
               return isComputed(pattern) && isTaken(bound(pattern)->node());
           });
}

void MatchSearch::drop(DroppedMatch dropped) {
    if (!m_dropped || m_dropped->size() >= m_dropLimit)
        return;
    dropped.match = currentMatch();
    m_dropped->push_back(std::move(dropped));
}

bool MatchSearch::take() {
    SubgraphMatch match = currentMatch();
    DroppedMatch dropped;
    if (isReadOutside(dropped)) {
        drop(std::move(dropped));
        return false;
    }
    // torch.fx returns the list from before this test where overlapping matches are wanted.
    if (m_matcher.options().removeOverlapping && formsCycle()) {
        dropped.reason = DroppedMatch::Reason::Cycle;
        drop(std::move(dropped));
        return false;
    }
    if (overlaps()) {
        drop(std::move(dropped));
        return false;
    }
    for (NodeId pattern : m_trail)
        if (isComputed(pattern))
            m_isTaken[static_cast<size_t>(bound(pattern)->node().value)] = true;
    m_matches.push_back(std::move(match));
    return true;
}

} // namespace fx
