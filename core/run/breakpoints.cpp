// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/breakpoints.h"

#include <algorithm>

namespace fx {

bool BreakpointList::hit(Breakpoint& breakpoint, const std::function<bool(const Breakpoint&)>& holds) {
    if (!breakpoint.condition.empty() && !holds(breakpoint))
        return false;
    m_hasNews = true;
    ++breakpoint.hits;
    if (breakpoint.ignoreCount > 0) {
        --breakpoint.ignoreCount;
        return false;
    }
    return true;
}

bool isNamedBy(Target target, std::string_view text) {
    std::string_view name = target.name();
    if (name == text)
        return true;
    if (!target.isOperatorOverload())
        return false;
    name.remove_prefix(std::string_view("torch.ops.").size());
    const std::string_view packet = name.substr(0, name.rfind('.'));
    return name == text || packet == text || packet.substr(packet.find('.') + 1) == text;
}

bool isAt(const Breakpoint& breakpoint, const Node& node, NodeRef ref, const ScopeTree& scopes,
          int previousScope, bool isRead) {
    using Kind = Breakpoint::Kind;
    switch (breakpoint.kind) {
    case Kind::Node:
        return breakpoint.node == ref;
    case Kind::Opcode:
        return opcodeName(node.opcode) == breakpoint.text;
    case Kind::Target:
        return isNamedBy(node.target, breakpoint.text);
    case Kind::Scope: {
        const int scope = scopes.find(breakpoint.text);
        return !isRead && scope >= 0 && scopes.isInside(scopes.scopeOf(node.id), scope) &&
               !(previousScope >= 0 && scopes.isInside(previousScope, scope));
    }
    default:
        return false;
    }
}

const Breakpoint* BreakpointList::before(const Node& node, NodeRef ref, const ScopeTree& scopes,
                                         int previousScope, bool isRead,
                                         const std::function<bool(const Breakpoint&)>& holds) {
    using Kind = Breakpoint::Kind;
    const Breakpoint* stop = nullptr;
    for (Breakpoint& breakpoint : m_breakpoints) {
        if (!breakpoint.isEnabled || breakpoint.kind == Kind::NonFinite)
            continue;
        if (isAt(breakpoint, node, ref, scopes, previousScope, isRead) && hit(breakpoint, holds) && !stop)
            stop = &breakpoint;
    }
    return stop;
}

const Breakpoint* BreakpointList::after(const Health& health,
                                        const std::function<bool(const Breakpoint&)>& holds) {
    if (health.isFinite())
        return nullptr;
    for (Breakpoint& breakpoint : m_breakpoints)
        if (breakpoint.isEnabled && breakpoint.kind == Breakpoint::Kind::NonFinite && hit(breakpoint, holds))
            return &breakpoint;
    return nullptr;
}

bool BreakpointList::watchesHealth() const {
    return std::any_of(m_breakpoints.begin(), m_breakpoints.end(), [](const Breakpoint& breakpoint) {
        return breakpoint.isEnabled && breakpoint.kind == Breakpoint::Kind::NonFinite;
    });
}

void BreakpointList::removeIfTemporary(int id) {
    std::erase_if(m_breakpoints, [id](const Breakpoint& b) { return b.id == id && b.isTemporary; });
}

int addBreakpoint(std::vector<Breakpoint>& breakpoints, Breakpoint breakpoint) {
    breakpoint.id = 1;
    for (const Breakpoint& other : breakpoints)
        breakpoint.id = std::max(breakpoint.id, other.id + 1);
    breakpoints.push_back(std::move(breakpoint));
    return breakpoints.back().id;
}

std::string breakpointText(const Breakpoint& breakpoint, const Model& model) {
    using Kind = Breakpoint::Kind;
    switch (breakpoint.kind) {
    case Kind::Node: {
        const Module& module = model.module(breakpoint.node.module);
        const bool isKnown = module.graph && module.graph->knows(breakpoint.node.node);
        return "node " + (isKnown ? module.graph->node(breakpoint.node.node).name : std::string("?"));
    }
    case Kind::Opcode:
        return "op " + breakpoint.text;
    case Kind::Target:
        return "target " + breakpoint.text;
    case Kind::Scope:
        return "scope " + breakpoint.text;
    case Kind::NonFinite:
        return "NaN or Inf";
    }
    return {};
}

} // namespace fx
