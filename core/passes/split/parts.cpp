// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/split/parts.h"

#include "core/base/error.h"

#include <queue>

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace fx {

namespace {

constexpr auto kNoPart = PartOfNode::kNone;

/// "submod_0 reads 'x' of submod_1, which reads 'y' of submod_0", of parts that never get ready.
std::string cycleText(const Graph& graph, const std::vector<Part>& parts,
                      const std::vector<std::vector<std::pair<int, NodeId>>>& reads,
                      const std::vector<size_t>& waitsFor) {
    std::vector<size_t> path;
    size_t at = static_cast<size_t>(std::ranges::find_if(waitsFor, [](size_t n) { return n > 0; }) -
                                    waitsFor.begin());
    const auto isWaiting = [&](const std::pair<int, NodeId>& read) {
        return waitsFor[static_cast<size_t>(read.first)] > 0;
    };
    while (std::ranges::find(path, at) == path.end()) {
        path.push_back(at);
        at = static_cast<size_t>(std::ranges::find_if(reads[at], isWaiting)->first);
    }
    path.erase(path.begin(), std::ranges::find(path, at));
    std::string out = parts[at].name;
    for (size_t i = 0; i < path.size(); ++i) {
        const size_t next = path[(i + 1) % path.size()];
        const auto read = std::ranges::find_if(
            reads[path[i]], [&](const auto& each) { return each.first == static_cast<int>(next); });
        out += std::string(i ? ", which" : "") + " reads '" + graph.node(read->second).name + "' of " +
               parts[next].name;
    }
    return out;
}

} // namespace

/// What begins a region, and what ends it.
static constexpr std::pair<std::string_view, std::string_view> kRegions[] = {
    {"torch.amp.autocast_mode._enter_autocast", "torch.amp.autocast_mode._exit_autocast"},
    {"torch.autograd.grad_mode._enter_inference_mode", "torch.autograd.grad_mode._exit_inference_mode"},
    {"torch._C._set_grad_enabled", ""}};

static const std::pair<std::string_view, std::string_view>* regionOf(const Node& begin) {
    const auto* found = std::ranges::find(kRegions, std::string_view(begin.target.name()),
                                          &std::pair<std::string_view, std::string_view>::first);
    return begin.opcode != Opcode::CallFunction || found == std::end(kRegions) ? nullptr : found;
}

bool changesModes(const Node& node) {
    return regionOf(node) != nullptr;
}

/// The call that ends it; none where there is not one.
static NodeId endOfRegion(const Graph& graph, const Node& begin) {
    const bool hasEnd = begin.users.size() == 1;
    const NodeId end = hasEnd ? *begin.users.begin() : NodeId();
    return end && graph.node(end).target.name() == regionOf(begin)->second ? end : NodeId();
}

void requireWholeRegion(const Graph& graph, const Node& begin, const std::vector<Part>& parts) {
    const auto refuse = [&](const std::string& why) {
        throw Error("node '" + begin.name + "'", "changes how what follows is computed, " + why);
    };
    const NodeId end = endOfRegion(graph, begin);
    if (!end)
        refuse("which parts would not see");
    const auto part = std::ranges::find_if(
        parts, [&](const Part& each) { return std::ranges::find(each.nodes, begin.id) != each.nodes.end(); });
    auto next = part == parts.end() ? std::vector<NodeId>::const_iterator()
                                    : std::ranges::find(part->nodes, begin.id);
    for (NodeId id = begin.id;; id = graph.node(id).next) {
        const Node& node = graph.node(id);
        if (isCallNode(node) && (part == parts.end() || next == part->nodes.end() || *next++ != id))
            refuse("up to '" + graph.node(end).name + "', and no part has all of that: '" + node.name +
                   "' is elsewhere");
        if (id == end)
            return;
    }
}

NodePlaces::NodePlaces(const Graph& graph) : m_places(static_cast<size_t>(graph.nextId().value)) {
    m_nodes.reserve(graph.size());
    for (const Node& node : graph) {
        m_places[static_cast<size_t>(node.id.value)] = m_nodes.size();
        m_nodes.push_back(node.id);
    }
}

PartOfNode::PartOfNode(const Graph& graph, const std::vector<Part>& parts)
    : m_parts(static_cast<size_t>(graph.nextId().value), kNoPart) {
    for (size_t part = 0; part < parts.size(); ++part)
        for (const NodeId node : parts[part].nodes)
            m_parts[static_cast<size_t>(node.value)] = static_cast<int>(part);
}

void findBorders(const Graph& graph, std::vector<Part>& parts) {
    const PartOfNode partOf(graph, parts);
    std::vector<int> knownFor(static_cast<size_t>(graph.nextId().value), kNoPart);
    for (size_t i = 0; i < parts.size(); ++i) {
        Part& part = parts[i];
        part.inputs.clear();
        part.outputs.clear();
        for (const NodeId id : part.nodes)
            forEachNode(graph.node(id).args, graph.node(id).kwargs, [&](NodeId read) {
                if (partOf.of(read) != static_cast<int>(i) &&
                    std::exchange(knownFor[static_cast<size_t>(read.value)], static_cast<int>(i)) !=
                        static_cast<int>(i))
                    part.inputs.push_back(read);
            });
    }
    std::vector<bool> isOutput(knownFor.size());
    for (const Node& node : graph)
        forEachNode(node.args, node.kwargs, [&](NodeId read) {
            const int made = partOf.of(read);
            if (made == kNoPart || made == partOf.of(node.id) || isOutput[static_cast<size_t>(read.value)])
                return;
            isOutput[static_cast<size_t>(read.value)] = true;
            parts[static_cast<size_t>(made)].outputs.push_back(read);
        });
}

void findBorders(const Graph& graph, Part& part) {
    const std::unordered_set<NodeId> own(part.nodes.begin(), part.nodes.end());
    std::unordered_set<NodeId> known = own;
    part.inputs.clear();
    part.outputs.clear();
    for (const NodeId id : part.nodes) {
        forEachNode(graph.node(id).args, graph.node(id).kwargs, [&](NodeId read) {
            if (known.insert(read).second)
                part.inputs.push_back(read);
        });
        if (std::ranges::any_of(graph.node(id).users, [&](NodeId user) { return !own.contains(user); }))
            part.outputs.push_back(id);
    }
}

std::vector<std::vector<std::pair<int, NodeId>>> readParts(const Graph& graph,
                                                           const std::vector<Part>& parts) {
    const PartOfNode partOf(graph, parts);
    std::vector<std::vector<std::pair<int, NodeId>>> out(parts.size());
    std::vector<int> knownFor(parts.size(), kNoPart);
    for (size_t i = 0; i < parts.size(); ++i)
        for (const NodeId read : parts[i].inputs)
            if (const int other = partOf.of(read);
                other != kNoPart && std::exchange(knownFor[static_cast<size_t>(other)],
                                                  static_cast<int>(i)) != static_cast<int>(i))
                out[i].emplace_back(other, read);
    return out;
}

std::vector<size_t> runOrder(const Graph& graph, const std::vector<Part>& parts, bool isLatestFirst) {
    const auto reads = readParts(graph, parts);
    const PartOfNode partOf(graph, parts);
    std::vector<size_t> waitsFor(parts.size());
    for (size_t i = 0; i < parts.size(); ++i)
        waitsFor[i] = reads[i].size();
    // In the order in which the graph has them read.
    std::vector<std::vector<size_t>> readers(parts.size());
    std::vector<std::unordered_set<int>> known(parts.size());
    for (const Node& node : graph)
        if (const int user = partOf.of(node.id); user != kNoPart)
            forEachNode(node.args, node.kwargs, [&](NodeId read) {
                const int made = partOf.of(read);
                if (made != kNoPart && made != user && known[static_cast<size_t>(made)].insert(user).second)
                    readers[static_cast<size_t>(made)].push_back(static_cast<size_t>(user));
            });
    std::vector<size_t> out, latest;
    std::priority_queue<size_t, std::vector<size_t>, std::greater<>> first;
    const auto add = [&](size_t part) {
        if (isLatestFirst)
            latest.push_back(part);
        else
            first.push(part);
    };
    for (size_t i = 0; i < parts.size(); ++i)
        if (!waitsFor[i])
            add(i);
    while (!latest.empty() || !first.empty()) {
        const size_t next = isLatestFirst ? latest.back() : first.top();
        if (isLatestFirst)
            latest.pop_back();
        else
            first.pop();
        out.push_back(next);
        for (const size_t reader : readers[next])
            if (--waitsFor[reader] == 0)
                add(reader);
    }
    if (out.size() != parts.size())
        throw Error("", "cycle exists between partitions! " + cycleText(graph, parts, reads, waitsFor))
            .hint("move the nodes between them to one side");
    return out;
}

} // namespace fx
