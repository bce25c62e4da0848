// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/going_back.h"

#include "core/interpret/call_effects.h"

namespace fx {

NodeId whereToBegin(const Graph& graph, NodeId target, const std::function<bool(NodeId)>& isThere) {
    NodeId from = target, end;
    while (from != end) {
        const NodeId first = from;
        for (NodeId id = first; id && id != end; id = graph.node(id).next)
            for (const InputUse& use : graph.node(id).inputs)
                if (!graph.node(id).isErased && graph.precedes(use.node, from) && !isThere(use.node))
                    from = use.node;
        end = first;
    }
    return from;
}

namespace {

/// What going back to the target does not undo; empty: nothing has been written.
std::string writtenSince(const Interpreter& paused, NodeId target, NodeId now,
                         const std::function<bool(NodeId)>& hasRun) {
    const Graph& graph = paused.graph();
    EffectsFinder finder(paused.model());
    for (NodeId id = target; id && id != now && graph.precedes(id, now); id = graph.node(id).next) {
        const Node& node = graph.node(id);
        if (node.isErased || !hasRun(id))
            continue;
        const CallEffects effects = finder.of(paused.module(), node);
        if (effects.any())
            return node.name +
                   (effects.hasState ? " changes state of its own" : " writes into what it reads") +
                   ", which going back does not undo";
    }
    return "";
}

} // namespace

WayBack goBack(Interpreter& paused, const RunningFrame& frame, SessionValues& values, WriteHistory& writes,
               NodeId target) {
    const Graph& graph = paused.graph();
    const NodeId now = frame.node.node;
    const auto isKept = [&](NodeId node) { return values.kept(frame, node) != nullptr; };
    std::string note = writtenSince(paused, target, now, isKept);
    // What has not run yet is left out, as the jump leaves it out.
    const NodeId from = whereToBegin(graph, target, [&](NodeId node) {
        return !graph.precedes(node, now) || paused.value(node) || isKept(node);
    });
    for (const Node& node : graph)
        if (const Value* kept = values.kept(frame, node.id); kept && graph.precedes(node.id, from))
            paused.setValue(node.id, *kept);
    paused.jumpTo(from);
    if (writes.restore({paused.module(), from})) {
        values.forgetWriters(paused.module(), from);
        note.clear();
    }
    return {from, note};
}

} // namespace fx
