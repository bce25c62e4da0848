// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rewrite/explain.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ir/argument_text.h"
#include "core/ir/python_operators.h"
#include "core/rewrite/literals.h"
#include "core/rewrite/match_search.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace fx {

namespace {

std::string quoted(const std::string& name) {
    return '\'' + name + '\'';
}

/// What a node calls or reads, as a person would say it.
std::string calleeText(const Node& node) {
    switch (node.opcode) {
    case Opcode::Placeholder:
        return "an input";
    case Opcode::GetAttr:
        return "the attribute " + quoted(node.target.name());
    case Opcode::CallMethod:
        return "the method " + node.target.name();
    case Opcode::CallModule:
        return "the module " + quoted(node.target.name());
    case Opcode::CallFunction:
        return node.target.name();
    case Opcode::Output:
        return "the output";
    }
    return {};
}

/// The bare name of an operation: "relu" for torch.relu, the method relu, relu_ and
/// torch.ops.aten.relu.default.
std::string operationName(const Node& node) {
    std::vector<std::string_view> atoms = split(node.target.name(), '.');
    if (node.target.isOperatorOverload())
        atoms.pop_back();
    std::string_view name = atoms.back();
    if (node.target.name().starts_with("operator."))
        if (const std::optional<Operator> op = operatorByInPlaceFunction(name))
            name = operatorName(*op);
    if (name.size() > 2 && name.ends_with('_') && !name.ends_with("__"))
        name.remove_suffix(1);
    return std::string(name);
}

std::string keywordsText(const Keywords& keywords) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : keywords)
        keys.push_back(key);
    return keys.empty() ? "none" : join(keys, ", ");
}

std::string_view kindText(AttributeKind kind) {
    switch (kind) {
    case AttributeKind::Missing:
        return "missing";
    case AttributeKind::None:
        return "None";
    case AttributeKind::Parameter:
        return "a parameter";
    case AttributeKind::Tensor:
        return "a buffer or constant";
    case AttributeKind::Module:
        return "a module";
    case AttributeKind::Value:
        return "a value";
    }
    return {};
}

/// Lays the pattern over the graph from one anchor up, as the search does, but goes on behind what does not
/// fit. Counts what fits; the first obstacle is put into words if asked for.
class Overlay {
public:
    Overlay(const SubgraphMatcher& matcher, OwnedGraph target)
        : m_ignoresLiterals(matcher.options().ignoreLiterals),
          m_comparison(matcher.pattern(), target, matcher.options().matchPlaceholder) {}

    struct Result {
        size_t fitting = 0, obstacles = 0;
        bool isRelated = false; ///< the anchor's own call fits, or has at least the same name
    };
    Result lay(NodeId anchor, NodeId candidate, std::string* obstacle = nullptr);

private:
    struct Place {
        FacingArguments arguments;
        NodeId reader; ///< node of the graph whose argument it is
        int index;     ///< of the argument; positional ones first
    };
    /// `reader`: the pattern's node that reads it, if any; a contradiction is its fault.
    void layNode(NodeId pattern, NodeId id, NodeId reader);
    void layValue(const Place& place);
    /// Something stands in the way of a node of the pattern.
    template <class Describe>
    void meet(NodeId pattern, const Describe& describe) {
        if (pattern)
            m_unfit.insert(pattern);
        if (m_result.obstacles++ == 0 && m_obstacle)
            *m_obstacle = describe();
    }
    bool fitsCallee(const Node& pattern, const Node& node) const;
    std::string differenceText(const Node& pattern, const Node& node) const;
    std::string countText(const Node& pattern, const Node& node) const;
    std::string placeText(const Place& place) const;
    std::string valueText(const Argument& value, const OwnedGraph& owner) const;

    bool m_ignoresLiterals;
    NodeComparison m_comparison;
    Result m_result;
    std::string* m_obstacle = nullptr;
    std::unordered_map<NodeId, Argument> m_bound;
    std::unordered_map<NodeId, NodeId> m_holder;
    std::unordered_set<NodeId> m_laid, m_unfit; ///< nodes of the pattern
    std::vector<Place> m_pending;
};

Overlay::Result Overlay::lay(NodeId anchor, NodeId candidate, std::string* obstacle) {
    m_result = Result();
    m_obstacle = obstacle;
    m_bound.clear();
    m_holder.clear();
    m_laid.clear();
    m_unfit.clear();
    m_pending.clear();
    const Node &wanted = m_comparison.pattern().node(anchor), &found = m_comparison.target().node(candidate);
    m_result.isRelated = fitsCallee(wanted, found) || (isCallNode(wanted) && isCallNode(found) &&
                                                       operationName(wanted) == operationName(found));
    layNode(anchor, candidate, NodeId());
    while (!m_pending.empty()) {
        const Place place = m_pending.back();
        m_pending.pop_back();
        layValue(place);
    }
    for (NodeId laid : m_laid)
        m_result.fitting += !m_unfit.contains(laid);
    return m_result;
}

bool Overlay::fitsCallee(const Node& pattern, const Node& node) const {
    try {
        return m_comparison.areEqual(pattern, node);
    } catch (const Error&) {
        return false; // attributes that cannot be compared
    }
}

void Overlay::layNode(NodeId patternId, NodeId id, NodeId reader) {
    const Node &pattern = m_comparison.pattern().node(patternId), &node = m_comparison.target().node(id);
    const auto nameOf = [this](NodeId held) { return quoted(m_comparison.target().node(held).name); };
    if (const auto known = m_bound.find(patternId); known != m_bound.end()) {
        if (known->second.node() != id)
            meet(reader, [&] {
                return quoted(pattern.name) + " of the pattern would be both " +
                       (known->second.node() ? nameOf(known->second.node())
                                             : valueText(known->second, m_comparison.target())) +
                       " and " + nameOf(id);
            });
        return;
    }
    if (const auto held = m_holder.find(id); held != m_holder.end()) {
        meet(reader, [&] {
            return nameOf(id) + " would be both " + quoted(m_comparison.pattern().node(held->second).name) +
                   " and " + quoted(pattern.name) + " of the pattern";
        });
        return;
    }
    m_bound[patternId] = id;
    m_holder[id] = patternId;
    const bool isPlaceholder = pattern.opcode == Opcode::Placeholder;
    if (!fitsCallee(pattern, node))
        meet(patternId, [&] { return differenceText(pattern, node); });
    if (isPlaceholder)
        return;
    m_laid.insert(patternId);
    std::vector<FacingArguments> faced;
    if (!m_comparison.face(pattern, node, faced)) {
        meet(patternId, [&] { return countText(pattern, node); });
        return;
    }
    for (size_t i = faced.size(); i-- > 0;)
        m_pending.push_back({faced[i], id, static_cast<int>(i)});
}

static bool holdsNode(const Argument& argument) {
    bool isHeld = false;
    forEachNode(argument, [&](NodeId) { isHeld = true; });
    return isHeld;
}

void Overlay::layValue(const Place& place) {
    const auto& [pattern, value] = place.arguments;
    const Arguments *wanted = pattern->items(), *found = value->items();
    if (pattern->node() && value->node()) {
        layNode(pattern->node(), value->node(), m_holder[place.reader]);
        return;
    }
    if (wanted && found) {
        if (wanted->size() != found->size())
            meet(m_holder[place.reader], [&] {
                return placeText(place) + " has " + std::to_string(found->size()) + " items, the pattern " +
                       std::to_string(wanted->size());
            });
        else
            for (size_t i = wanted->size(); i-- > 0;)
                m_pending.push_back({{&(*wanted)[i], &(*found)[i]}, place.reader, place.index});
        return;
    }
    const NodeId id = pattern->node();
    const bool isPlaceholder = id && m_comparison.pattern().node(id).opcode == Opcode::Placeholder;
    if (isPlaceholder && m_bound.emplace(id, *value).second)
        return;
    const bool fits = m_ignoresLiterals ||
                      (isPlaceholder && isEqualInPython(m_bound[id], *value, NodesAre::OfOneGraph)) ||
                      (!id && !value->node() && isSameLiteral(*pattern, *value, NodesAre::OfTwoGraphs));
    if (!fits && pattern->as<SliceValue>() && holdsNode(*pattern) && holdsNode(*value))
        meet(m_holder[place.reader],
             [&] { return placeText(place) + " is a slice that holds a node, which never matches"; });
    else if (!fits)
        meet(m_holder[place.reader], [&] {
            return placeText(place) + " is " + valueText(*value, m_comparison.target()) +
                   ", the pattern has " + valueText(*pattern, m_comparison.pattern());
        });
}

std::string Overlay::differenceText(const Node& pattern, const Node& node) const {
    if (pattern.opcode == Opcode::GetAttr && node.opcode == Opcode::GetAttr)
        return quoted(node.target.name()) + " is " +
               std::string(kindText(attributeKind(m_comparison.target(), node.target.name()))) +
               ", the pattern's " + quoted(pattern.target.name()) + " is " +
               std::string(kindText(attributeKind(m_comparison.pattern(), pattern.target.name())));
    return quoted(node.name) + " has another target: " + calleeText(node) + ", not " + calleeText(pattern);
}

std::string Overlay::countText(const Node& pattern, const Node& node) const {
    if (pattern.args.size() != node.args.size())
        return quoted(node.name) + " has " + std::to_string(node.args.size()) +
               " positional arguments, the pattern " + std::to_string(pattern.args.size());
    std::vector<std::string> wanted, found;
    for (const auto& [key, value] : pattern.kwargs)
        wanted.push_back(key);
    for (const auto& [key, value] : node.kwargs)
        found.push_back(key);
    const bool isPermuted = std::is_permutation(wanted.begin(), wanted.end(), found.begin(), found.end());
    return quoted(node.name) +
           (isPermuted ? " has its keywords in another order: " : " has other keywords: ") +
           keywordsText(node.kwargs) + "; the pattern has " + keywordsText(pattern.kwargs);
}

std::string Overlay::placeText(const Place& place) const {
    const Node& node = m_comparison.target().node(place.reader);
    const auto index = static_cast<size_t>(place.index);
    const bool isKeyword = index >= node.args.size() && index - node.args.size() < node.kwargs.size();
    return "argument " +
           (isKeyword ? quoted(node.kwargs[index - node.args.size()].first) : std::to_string(index)) +
           " of " + quoted(node.name);
}

std::string Overlay::valueText(const Argument& value, const OwnedGraph& owner) const {
    return reprText(value, [&](NodeId id) { return owner.node(id).name; });
}

/// Nodes of the pattern above an anchor, itself included, without placeholders.
size_t countAbove(const Graph& pattern, NodeId anchor) {
    std::vector<bool> isMet(static_cast<size_t>(pattern.nextId().value));
    std::vector<NodeId> queue = {anchor};
    isMet[static_cast<size_t>(anchor.value)] = true;
    size_t count = 0;
    while (!queue.empty()) {
        const Node& node = pattern.node(queue.back());
        queue.pop_back();
        count += node.opcode != Opcode::Placeholder;
        for (const InputUse& use : node.inputs) {
            if (isMet[static_cast<size_t>(use.node.value)])
                continue;
            isMet[static_cast<size_t>(use.node.value)] = true;
            queue.push_back(use.node);
        }
    }
    return count;
}

/// Whole matches that may not be replaced.
std::vector<NearMiss> droppedMatches(const SubgraphMatcher& matcher, OwnedGraph target, size_t limit) {
    std::vector<DroppedMatch> dropped;
    MatchSearch search(matcher, target, {});
    search.keepDropped(dropped, limit);
    try {
        search.run();
    } catch (const Error&) {
        return {}; // the search itself says what is wrong with the pattern
    }
    std::vector<NearMiss> out;
    for (const DroppedMatch& match : dropped) {
        NearMiss miss;
        miss.anchor = match.match.anchor;
        const Argument* candidate = match.match.nodes.find(miss.anchor);
        miss.candidate = candidate ? candidate->node() : NodeId();
        for (const PatternMap::Entry& entry : match.match.nodes.entries())
            miss.total += matcher.pattern().node(entry.pattern).opcode != Opcode::Placeholder;
        miss.matched = miss.total;
        const auto name = [&](NodeId id) { return quoted(target.node(id).name); };
        if (match.reason == DroppedMatch::Reason::ReadOutside)
            miss.obstacle = name(match.node) + " is also read by " + name(match.reader) + " outside";
        else if (match.reason == DroppedMatch::Reason::Cycle)
            miss.obstacle = "a value goes out of these nodes and comes back into them";
        else
            miss.obstacle = "it shares nodes with an earlier match";
        if (miss.candidate)
            out.push_back(std::move(miss));
    }
    return out;
}

} // namespace

std::vector<NearMiss> explainMisses(const SubgraphMatcher& matcher, OwnedGraph target, size_t limit) {
    std::vector<NearMiss> misses = droppedMatches(matcher, target, limit);
    struct Ranked {
        NodeId anchor, candidate;
        Overlay::Result result;
    };
    std::vector<Ranked> ranked;
    Overlay overlay(matcher, target);
    for (NodeId anchor : matcher.anchors()) {
        const bool isForInputs = !isCallNode(matcher.pattern().node(anchor));
        for (const Node& node : target.graph()) {
            if (isForInputs ? node.opcode != matcher.pattern().node(anchor).opcode : !isCallNode(node))
                continue;
            const Overlay::Result result = overlay.lay(anchor, node.id);
            const bool isMiss = result.obstacles > 0 || matcher.anchors().size() > 1;
            if (isMiss && (result.fitting > 0 || result.isRelated))
                ranked.push_back({anchor, node.id, result});
        }
    }
    const auto isNearer = [](const Ranked& a, const Ranked& b) {
        return std::tuple(b.result.fitting, a.result.obstacles) <
               std::tuple(a.result.fitting, b.result.obstacles);
    };
    std::stable_sort(ranked.begin(), ranked.end(), isNearer);
    for (const Ranked& place : ranked) {
        if (misses.size() >= limit)
            break;
        const bool isKnown = std::any_of(misses.begin(), misses.end(), [&](const NearMiss& miss) {
            return miss.candidate == place.candidate && miss.matched > place.result.fitting;
        });
        if (isKnown)
            continue;
        NearMiss miss;
        miss.candidate = place.candidate;
        miss.anchor = place.anchor;
        overlay.lay(place.anchor, place.candidate, &miss.obstacle);
        if (miss.obstacle.empty())
            miss.obstacle = "no node beside it is what else the pattern returns";
        miss.matched = place.result.fitting;
        miss.total = countAbove(matcher.pattern().graph(), place.anchor);
        misses.push_back(std::move(miss));
    }
    return misses;
}

std::string nearMissText(const NearMiss& miss, const SubgraphMatcher& matcher, OwnedGraph target) {
    return target.node(miss.candidate).name + " for '" + matcher.pattern().node(miss.anchor).name +
           "': " + std::to_string(miss.matched) + " of " + std::to_string(miss.total) + " nodes fit; " +
           miss.obstacle;
}

} // namespace fx
