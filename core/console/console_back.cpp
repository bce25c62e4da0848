// SPDX-License-Identifier: GPL-3.0-or-later
// The console's words for going back: by one node, or to where something has happened.
#include "core/base/error.h"
#include "core/console/console.h"
#include "core/interpret/call_effects.h"
#include "core/module/scopes.h"
#include "core/run/breakpoints.h"

#include <algorithm>
#include <cctype>

namespace fx {

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

/// Whether the name stands in the expression as a word of its own, and not as a member.
bool names(const std::string& expression, const std::string& name) {
    const auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (size_t at = expression.find(name); at != std::string::npos; at = expression.find(name, at + 1)) {
        const size_t end = at + name.size();
        const bool begins = at == 0 || (!isPart(expression[at - 1]) && expression[at - 1] != '.');
        if (begins && (end == expression.size() || !isPart(expression[end])))
            return true;
    }
    return false;
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
    if (!stopBefore(m_control.model().graph(at.module), at.node))
        throw Error("", "this is the first node of its graph").hint("'run' starts the run anew");
    m_seek = std::make_shared<Seek>();
    askForSeek();
    if (m_seek->asked == 0)
        seekOn();
}

/// What is displayed where the run stands.
void Console::askForSeek() {
    m_seek = std::make_shared<Seek>(*m_seek); // replies to earlier requests are of another one
    m_seek->asked = 0;
    m_seek->now.clear();
    for (const Display& each : m_displays) {
        if (each.graph && *each.graph != here().module)
            continue;
        ++m_seek->asked;
        m_control.run().ask(Evaluate{0, each.expression, 0, true},
                            [this, seek = m_seek, expression = each.expression](const Answer& answer) {
                                if (seek == m_seek)
                                    takeForSeek(expression, answer);
                            });
    }
}

void Console::takeForSeek(const std::string& displayed, const Answer& answer) {
    m_seek->now[displayed] = {answer.text, answer.content};
    if (--m_seek->asked > 0)
        return;
    if (!m_seek->begin)
        m_seek->begin = m_seek->now;
    for (const auto& [expression, value] : m_seek->now)
        if (value != m_seek->begin->at(expression)) {
            endSeek(std::string(expression));
            return;
        }
    seekOn();
}

/// To the next place before at which it may be seen whether something displayed was another value.
void Console::seekOn() {
    const NodeRef at = frames().back().node;
    const Graph& graph = m_control.model().graph(at.module);
    const std::vector<Breakpoint> breakpoints = m_control.run().breakpoints();
    const ScopeTree scopes(graph);
    EffectsFinder effects(m_control.model());
    NodeId target = stopBefore(graph, at.node);
    for (NodeId node = target; node; node = stopBefore(graph, node)) {
        target = node;
        const NodeId previous = stopBefore(graph, node);
        const int scope = previous ? scopes.scopeOf(previous) : -1;
        const bool stops = std::ranges::any_of(breakpoints, [&](const Breakpoint& each) {
            return each.isEnabled && isAt(each, graph.node(node), {at.module, node}, scopes, scope, false);
        });
        // Before it there was no such value.
        const auto makes = std::ranges::find_if(
            m_seek->now, [&](const auto& each) { return names(each.first, graph.node(node).name); });
        m_seek->isLast = stops || makes != m_seek->now.end() || (!previous && m_seek->now.empty());
        m_seek->why = makes == m_seek->now.end() || stops ? "" : makes->first;
        if (m_seek->isLast || (!m_seek->now.empty() && effects.of(at.module, graph.node(node)).any()))
            break;
    }
    if (!target)
        return endSeek("");
    jumpTo(target);
}

/// `why`: what is displayed, and becomes another value here.
void Console::endSeek(const std::string& why) {
    m_seek.reset();
    if (!why.empty())
        say(why + " changes here:");
    tellStop();
}

} // namespace fx
