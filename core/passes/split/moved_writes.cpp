// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/split/moved_writes.h"

#include "core/interpret/written_tensors.h"

#include <algorithm>

namespace fx {

namespace {

/// The nodes that read the value, by other names of it, too.
void addReaders(const Graph& graph, NodeId value, int depth, std::vector<NodeId>& out) {
    constexpr int kDeepest = 6;
    for (const NodeId user : graph.node(value).users) {
        out.push_back(user);
        if (depth < kDeepest && mayShareMemory(graph.node(user)))
            addReaders(graph, user, depth + 1, out);
    }
}

/// What other nodes see of the memory that the call writes into.
std::vector<NodeId> readersOfWritten(const Graph& graph, const Node& node) {
    std::vector<NodeId> out;
    for (NodeId value : writtenInputs(node)) {
        // From the value whose memory it is.
        for (int depth = 0;
             depth < 6 && mayShareMemory(graph.node(value)) && !graph.node(value).inputs.empty(); ++depth)
            value = graph.node(value).inputs[0].node;
        addReaders(graph, value, 0, out);
    }
    return out;
}

std::vector<std::string> moved(const Graph& graph, const NodePlaces& places,
                               const std::vector<size_t>& fresh) {
    std::vector<std::string> out;
    for (const Node& node : graph) {
        if (!isCall(node) || writtenInputs(node).empty())
            continue;
        const size_t at = places.of(node.id);
        if (std::ranges::any_of(readersOfWritten(graph, node), [&](NodeId reader) {
                const size_t other = places.of(reader);
                return isCall(graph.node(reader)) && (other < at) != (fresh[other] < fresh[at]);
            }))
            out.push_back(node.name);
    }
    return out;
}

} // namespace

std::vector<std::string> movedWrites(const Graph& graph, const std::vector<Part>& parts,
                                     const std::vector<size_t>& order) {
    const NodePlaces places(graph);
    std::vector<size_t> fresh(places.size());
    size_t next = 0;
    for (const size_t part : order)
        for (const NodeId node : parts[part].nodes)
            fresh[places.of(node)] = next++;
    return moved(graph, places, fresh);
}

std::vector<std::string> movedWrites(const Graph& graph, const std::vector<Part>& parts) {
    const NodePlaces places(graph);
    std::vector<std::pair<size_t, size_t>> keys; // the place of its part's last node, its own
    for (size_t place = 0; place < places.size(); ++place)
        keys.emplace_back(place, place);
    for (const Part& part : parts) {
        size_t last = 0;
        for (const NodeId node : part.nodes)
            last = std::max(last, places.of(node));
        for (const NodeId node : part.nodes)
            keys[places.of(node)].first = last;
    }
    std::ranges::sort(keys);
    std::vector<size_t> fresh(places.size());
    for (size_t i = 0; i < keys.size(); ++i)
        fresh[keys[i].second] = i;
    return moved(graph, places, fresh);
}

} // namespace fx
