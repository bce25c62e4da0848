// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/going_back.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/call_effects.h"
#include "core/run/content.h"
#include "core/torch/bind/call.h"
#include "core/torch/values/value_text.h"

namespace fx {

namespace {

/// The target itself, or a node before it from which values are computed again that are gone.
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

/// Returns the node from which the graph runs again to reach the target. What was released or written over
/// since that node ran is restored as far as it is kept; `note` says what is not.
NodeId GoingBack::restore(Interpreter& paused, const RunningFrame& frame, NodeId target, std::string& note) {
    const Graph& graph = paused.graph();
    const NodeId now = frame.node.node;
    const auto isKept = [&](NodeId node) { return m_values.kept(frame, node) != nullptr; };
    note = writtenSince(paused, target, now, isKept);
    // What has not run yet is left out, as the jump leaves it out.
    const NodeId from = whereToBegin(graph, target, [&](NodeId node) {
        return !graph.precedes(node, now) || paused.value(node) || isKept(node);
    });
    for (const Node& node : graph)
        if (const Value* kept = m_values.kept(frame, node.id); kept && graph.precedes(node.id, from))
            paused.setValue(node.id, *kept);
    if (m_writes.restore({paused.module(), from})) {
        m_values.forgetWriters(paused.module(), from);
        note.clear();
    }
    paused.jumpTo(from);
    return from;
}

std::string GoingBack::jumpTo(NodeId node) {
    Interpreter* paused = m_frames.empty() ? nullptr : m_frames.back().interpreter;
    if (!paused || !paused->graph().contains(node))
        throw Error("", "a jump needs a paused run and a node of its innermost graph");
    RunningFrame& frame = m_frames.back();
    std::string note;
    const NodeId from = restore(*paused, frame, node, note);
    const NodeId previous = pausableBefore(paused->graph(), from);
    frame.scope = previous ? frame.scopes->scopeOf(previous) : -1; // as on the way there
    m_random.restore({paused->module(), from});
    m_plan.set({from == node ? Resume::Mode::Step : Resume::Mode::Until, {paused->module(), node}});
    return note;
}

std::string GoingBack::goBack(const GoBack& request, const std::vector<Breakpoint>& breakpoints) {
    if (m_frames.empty() || !m_frames.back().interpreter)
        throw Error("", "going back needs a paused run");
    const NodeRef at = m_frames.back().node;
    const NodeId before = pausableBefore(m_model.graph(at.module), at.node);
    if (!before)
        throw Error("", "this is the first node of its graph").hint("'run' starts the run anew");
    if (!request.isToStop)
        return jumpTo(before);
    m_seek.emplace(m_model, valuesOf(request.watched));
    m_notUndone.clear();
    try {
        return seekFurther(breakpoints);
    } catch (...) {
        m_seek.reset();
        throw;
    }
}

std::string GoingBack::seekFurther(const std::vector<Breakpoint>& breakpoints) {
    const RunningFrame& frame = m_frames.back();
    return jumpTo(m_seek->moveBack(frame.node, *frame.scopes, breakpoints));
}

bool GoingBack::endsAt(Paused& stop, const std::vector<Breakpoint>& breakpoints) {
    if (!m_seek)
        return true;
    bool isEnd = true;
    try {
        guarded([&] { isEnd = isFound(stop) || !seeksOn(breakpoints); });
    } catch (const Error& error) {
        stop.note = error.explanation();
    }
    if (isEnd) {
        stop.note += (stop.note.empty() || m_notUndone.empty() ? "" : "\n") + m_notUndone;
        m_seek.reset();
    }
    return isEnd;
}

/// True if a breakpoint stops here, a watched value changes here, or the search was interrupted.
bool GoingBack::isFound(Paused& stop) {
    if (stop.breakpoint || m_frames.back().node != m_seek->target())
        return true;
    std::string changed = m_seek->made();
    if (changed.empty())
        changed = m_seek->changed(valuesOf(m_seek->watched()));
    if (changed.empty())
        return false;
    stop.reason = Paused::Reason::Changed;
    stop.changed = std::move(changed);
    return true;
}

/// False if there is nothing further back.
bool GoingBack::seeksOn(const std::vector<Breakpoint>& breakpoints) {
    if (m_seek->isLast())
        return false;
    if (const std::string note = seekFurther(breakpoints); !note.empty() && !contains(m_notUndone, note))
        m_notUndone += (m_notUndone.empty() ? "" : "\n") + note;
    return true;
}

Seek::Values GoingBack::valuesOf(const std::vector<std::string>& expressions) {
    m_random.disturb(); // an expression may draw
    Seek::Values out;
    for (const std::string& expression : expressions)
        try {
            guarded([&] {
                const Value value = m_values.evaluate(expression);
                out[expression] = {valueText(value), contentOf(value)};
            });
        } catch (const Error& error) {
            out[expression] = {error.explanation(), 0};
        }
    return out;
}

} // namespace fx
