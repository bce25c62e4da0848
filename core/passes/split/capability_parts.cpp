// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/split/capability_parts.h"

#include "core/passes/split/part_growth.h"

#include <queue>

#include <algorithm>
#include <map>

namespace fx {

namespace {

constexpr std::string_view kGetItem = "operator.getitem";

bool isItem(const Node& node) {
    return node.opcode == Opcode::CallFunction && node.target.name() == kGetItem;
}

using Grown = PartGrowth::Grown;

std::vector<Grown> grownParts(const Graph& graph, const NodePlaces& places, const Refusals& refusals,
                              const CapabilitySettings& settings) {
    PartGrowth growth(graph, places);
    for (size_t place = places.size(); place-- > 0;) {
        const NodeId id = places.node(place);
        const bool isSupported = isCallNode(graph.node(id)) && !refusals.contains(id);
        growth.add(place, isSupported);
        if (!settings.skipsHorizontalFusion)
            growth.joinAll(place);
        else if (isSupported)
            growth.joinReaders(place);
    }
    std::vector<Grown> out = growth.take();
    for (Grown& part : out)
        std::ranges::sort(part.nodes);
    return out;
}

/// Items of a tuple go where the tuple is made; into no part with one that is in none.
void moveItems(const Graph& graph, const NodePlaces& places, std::vector<Grown>& parts) {
    constexpr int kNone = -1;
    std::vector<int> partOf(places.size(), kNone);
    for (size_t part = 0; part < parts.size(); ++part)
        for (const size_t node : parts[part].nodes)
            partOf[node] = static_cast<int>(part);
    // Each round moves items of items one step on.
    for (size_t round = 0; round < places.size(); ++round) {
        std::map<size_t, int> moves;
        for (size_t place = 0; place < places.size(); ++place) {
            const Node& node = graph.node(places.node(place));
            if (!std::ranges::all_of(node.users, [&](NodeId user) { return isItem(graph.node(user)); }))
                continue;
            for (const NodeId user : node.users)
                if (partOf[places.of(user)] != partOf[place])
                    moves[places.of(user)] = partOf[place];
        }
        if (moves.empty())
            return;
        for (const auto& [item, part] : moves) {
            if (const int old = partOf[item]; old != kNone)
                std::erase(parts[static_cast<size_t>(old)].nodes, item);
            if (part != kNone)
                parts[static_cast<size_t>(part)].nodes.push_back(item);
            partOf[item] = part;
        }
    }
}

bool computesOnce(const Graph& graph, const NodePlaces& places, const Grown& part,
                  const CapabilitySettings& settings) {
    size_t count = 0;
    for (const size_t place : part.nodes) {
        const Node& node = graph.node(places.node(place));
        if (node.opcode != Opcode::CallFunction)
            continue;
        const std::string name = node.target.qualifiedName();
        const bool isFree =
            name == "torch.ops.aten.view" || isItem(node) || settings.nonComputeOps.contains(name);
        count += !isFree + settings.allowedSingleNodeOps.contains(name);
    }
    return count <= 1;
}

/// Each after those of the list that it reads, otherwise as they stand in it.
std::vector<NodeId> sorted(const Graph& graph, const NodePlaces& places, const std::vector<size_t>& nodes) {
    std::map<size_t, size_t> position;
    for (size_t i = 0; i < nodes.size(); ++i)
        position[nodes[i]] = i;
    std::vector<size_t> waitsFor(nodes.size());
    std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
    for (size_t i = 0; i < nodes.size(); ++i) {
        for (const InputUse& use : graph.node(places.node(nodes[i])).inputs)
            waitsFor[i] += position.contains(places.of(use.node));
        if (!waitsFor[i])
            ready.push(i);
    }
    std::vector<NodeId> out;
    while (!ready.empty()) {
        out.push_back(places.node(nodes[ready.top()]));
        ready.pop();
        for (const NodeId user : graph.node(out.back()).users)
            if (const auto at = position.find(places.of(user));
                at != position.end() && --waitsFor[at->second] == 0)
                ready.push(at->second);
    }
    return out;
}

} // namespace

std::vector<Part> capabilityParts(const Graph& graph, Refusals& refusals,
                                  const CapabilitySettings& settings) {
    const NodePlaces places(graph);
    std::vector<Grown> grown = grownParts(graph, places, refusals, settings);
    moveItems(graph, places, grown);
    std::vector<Part> out;
    for (const Grown& part : grown) {
        if (part.nodes.empty())
            continue;
        if (!settings.allowsSingleNode && computesOnce(graph, places, part, settings)) {
            for (const size_t place : part.nodes)
                refusals.emplace(places.node(place),
                                 "in a part that calls no more than one function that computes");
            continue;
        }
        out.push_back({{}, sorted(graph, places, part.nodes), {}, {}});
    }
    return out;
}

} // namespace fx
