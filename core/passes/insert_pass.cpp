// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/insert_pass.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/unicode.h"
#include "core/passes/new_calls.h"
#include "core/passes/pass_options.h"
#include "core/rewrite/argument_places.h"
#include "core/rewrite/inserted_call.h"
#include "core/rewrite/waiting_calls.h"

#include <algorithm>

namespace fx {

namespace {

NodeId oneNode(const PassOptions& options, std::string_view name, const Graph& graph) {
    const std::vector<NodeId> nodes = options.nodes(name, graph);
    if (nodes.size() > 1)
        throw Error("--" + std::string(name), "takes one node");
    return nodes.empty() ? NodeId() : nodes[0];
}

/// Lets readers of `old` read `fresh`: those that are asked for, else all that come after it.
void handOver(Edit& edit, NodeId old, NodeId fresh, const std::vector<NodeId>& readers) {
    const Graph& graph = edit.graph();
    for (const NodeId reader : readers) {
        if (!graph.node(old).users.contains(reader))
            throw Error("--readers",
                        "'" + graph.node(reader).name + "' does not read '" + graph.node(old).name + "'");
        if (!graph.precedes(fresh, reader))
            throw Error("--readers", "'" + graph.node(reader).name + "' comes before the new node");
    }
    const auto changed = edit.replaceAllUsesWith(old, fresh, [&](NodeId user) {
        return readers.empty() ? graph.precedes(fresh, user) : std::ranges::count(readers, user) > 0;
    });
    if (changed.empty())
        throw Error("--replaces", "no node reads '" + graph.node(old).name + "' behind the new one");
}

} // namespace

void runInsert(Edit& edit, const PassOptions& options, PassContext& context) {
    const Graph& graph = edit.graph();
    CallToInsert call{options.text("call"), options.text("name"), oneNode(options, "after", graph),
                      oneNode(options, "before", graph)};
    if (call.after && call.before)
        throw Error("--before", "cannot be given together with --after");
    const NodeId replaced = oneNode(options, "replaces", graph);
    const std::vector<NodeId> readers = options.nodes("readers", graph);
    if (!readers.empty() && !replaced)
        throw Error("--readers", "says which readers of --replaces read the new node, and that is missing");
    NewCalls calls(edit);
    const std::vector<NodeId> fresh = insertCall(edit, call);
    const NodeId node = fresh.back();
    if (replaced)
        handOver(edit, replaced, node, readers);
    calls.finish(fresh, options.flag("unchecked") ? ShapeRule::Unchecked : ShapeRule::Checked);
    const Node& made = edit.node(node);
    const ValueMeta* value = knownValue(made.meta);
    const std::string missing =
        join(missingArguments(formsOfCall(edit.model(), edit.module(), made), made), ", ");
    context.results.push_back(oneLine(made.name) + ": " +
                              (!missing.empty() ? "waits for " + missing
                               : value          ? valueMetaText(*value)
                                                : "its shape is not known"));
}

std::vector<PassOption> insertOptions() {
    using enum OptionType;
    return {{.name = "call",
             .type = String,
             .help = "what is called, as Python: 'torch.clamp(relu, max=6.0)', 'self.norm(x)', "
                     "'nn.Linear(8, 4)(x)'; names of nodes stand for their values; several lines "
                     "'y = torch.relu(x)' may read one another",
             .isRequired = true},
            {"name", String, "of the new node"},
            {"after", Nodes, "the node that it comes after; without it the last that it reads"},
            {"before", Nodes, "the node that it comes before"},
            {"replaces", Nodes, "a node whose readers read the new one from then on"},
            {"readers", Nodes, "which of these readers do; without it all that come later"},
            {"unchecked", Bool, "also where a call cannot take the shapes that are recorded"}};
}

} // namespace fx
