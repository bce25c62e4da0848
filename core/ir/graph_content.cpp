// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/graph_content.h"

#include "core/base/error.h"

#include <algorithm>

namespace fx {

namespace {

[[noreturn]] void failAt(NodeId id, const std::string& what) {
    throw Error("node #" + std::to_string(id.value), what);
}

void requireKnownIn(const Graph& graph, const Argument& argument) {
    forEachPart(argument, [&](const Argument& part) {
        if (const auto* node = part.as<NodeId>(); node && !graph.knows(*node))
            failAt(*node, "is named, and not in the graph");
    });
}

} // namespace

void requireKnown(const Graph& graph, const MetaValue& value) {
    if (const auto* argument = std::get_if<Argument>(&value))
        requireKnownIn(graph, *argument);
}

void requireReads(const Graph& graph, const CallArguments& arguments) {
    for (const Argument& argument : arguments.args)
        requireKnownIn(graph, argument);
    for (const auto& [key, argument] : arguments.kwargs)
        requireKnownIn(graph, argument);
    std::vector<NodeId> read, used;
    forEachNode(arguments.args, arguments.kwargs, [&](NodeId node) { read.push_back(node); });
    for (const InputUse& use : arguments.inputs)
        used.push_back(use.node);
    std::ranges::sort(read);
    std::ranges::sort(used);
    const auto repeated = std::ranges::unique(read);
    read.erase(repeated.begin(), repeated.end());
    if (read != used)
        throw Error("", "the nodes that arguments read are not those that are noted");
}

Graph graphOf(GraphContent content) {
    struct Use {
        InputUse use;
        NodeId user;
    };
    Graph out;
    const size_t count = content.nodes.size();
    if (content.nextUses.size() != count)
        throw Error("", "has not one count of uses for each node");
    out.m_nodes = std::move(content.nodes);
    out.m_names = std::move(content.names);
    out.m_signature = std::move(content.signature);
    std::vector<Use> uses;
    for (size_t i = 0; i < count; ++i) {
        Node& node = out.m_nodes[i];
        node.id = NodeId{static_cast<int32_t>(i)};
        node.isErased = true;
        node.users = {};
        node.previous = node.next = {};
        requireReads(out, {node.args, node.kwargs, node.inputs});
        for (const auto& [key, value] : node.meta.entries())
            requireKnown(out, value);
        for (const InputUse& use : node.inputs)
            uses.push_back({use, node.id});
    }
    for (NodeId id : content.order) {
        if (!out.knows(id) || !out.node(id).isErased)
            failAt(id, "stands in the order of nodes, and cannot");
        out.link(id, {});
    }
    std::ranges::sort(uses, {}, [](const Use& use) { return std::pair(use.use.node, use.use.sequence); });
    for (const Use& each : uses) {
        const auto& [node, sequence] = each.use;
        UserList& users = out.at(node).users;
        if (out.node(each.user).isErased || sequence >= content.nextUses[static_cast<size_t>(node.value)] ||
            users.at(sequence))
            failAt(each.user, "cannot have the place among the users of its input that it has");
        users.insert(sequence, each.user);
    }
    for (size_t i = 0; i < count; ++i)
        out.m_nodes[i].users.skipTo(content.nextUses[i]);
    return out;
}

} // namespace fx
