// SPDX-License-Identifier: GPL-3.0-or-later
// The console's words for running, on and back.
#include "core/base/error.h"
#include "core/console/console.h"
#include "core/interpret/breakpoints.h"
#include "core/module/scopes.h"

#include <algorithm>

namespace fx {

const Paused& Console::requireStop() const {
    if (!m_stop || m_isOver)
        throw Error("", m_isOver ? "the run is over; 'run' starts it anew" : "nothing is running");
    return *m_stop;
}

void Console::resumeWith(Resume resume) {
    requireStop();
    ++m_pending;
    m_control.send(resume);
}

void Console::step(const std::string&) {
    resumeWith({Resume::Mode::Step, {}});
}

void Console::next(const std::string&) {
    resumeWith({Resume::Mode::Next, {}});
}

void Console::scope(const std::string&) {
    resumeWith({Resume::Mode::NextScope, {}});
}

void Console::out(const std::string&) {
    resumeWith({Resume::Mode::Out, {}});
}

void Console::resume(const std::string&) {
    resumeWith({Resume::Mode::Continue, {}});
}

void Console::until(const std::string& arguments) {
    resumeWith({Resume::Mode::Until, nodeNamed(arguments)});
}

void Console::jump(const std::string& arguments) {
    const NodeRef node = nodeNamed(arguments);
    if (!m_stop || m_isOver || node.module != m_stop->frames.back().node.module)
        throw Error("", "a jump needs a paused run and a node of its innermost graph");
    jumpTo(node.node);
}

void Console::jumpTo(NodeId node) {
    m_pending += 2; // the answer, and the stop before the node
    m_control.send(Jump{m_nextRequest++, node});
}

namespace {

/// The one before, of those at which a run stops; no node at the first.
NodeId stopBefore(const Graph& graph, NodeId node) {
    for (node = graph.node(node).previous; node; node = graph.node(node).previous) {
        const Node& each = graph.node(node);
        if (!each.isErased && each.opcode != Opcode::Placeholder && each.opcode != Opcode::GetAttr)
            break;
    }
    return node;
}

} // namespace

void Console::reverseStep(const std::string&) {
    const NodeRef at = requireStop().frames.back().node;
    const NodeId before = stopBefore(m_control.model().graph(at.module), at.node);
    if (!before)
        throw Error("", "this is the first node of its graph").hint("'run' starts the run anew");
    jumpTo(before);
}

void Console::reverseContinue(const std::string&) {
    const NodeRef at = requireStop().frames.back().node;
    const Graph& graph = m_control.model().graph(at.module);
    const std::vector<Breakpoint> breakpoints = m_control.breakpoints();
    const ScopeTree scopes(graph);
    NodeId target;
    for (NodeId node = stopBefore(graph, at.node); node; node = stopBefore(graph, node)) {
        target = node;
        const NodeId previous = stopBefore(graph, node);
        const int scope = previous ? scopes.scopeOf(previous) : -1;
        if (std::ranges::any_of(breakpoints, [&](const Breakpoint& each) {
                return each.isEnabled &&
                       isAt(each, graph.node(node), {at.module, node}, scopes, scope, false);
            }))
            break;
    }
    if (!target)
        throw Error("", "this is the first node of its graph").hint("'run' starts the run anew");
    jumpTo(target);
}

void Console::run(const std::string&) {
    ++m_pending;
    m_isOver = false;
    m_stop.reset();
    for (Display& display : m_displays)
        display.text.reset(); // what it was in another run is no news
    m_control.restart();
}

void Console::quit(const std::string&) {
    m_control.quit();
}

} // namespace fx
