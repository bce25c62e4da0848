// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a run should stop at a node: the list of breakpoints, without what their conditions mean.
#pragma once

#include "core/interpret/debug_types.h"
#include "core/module/scopes.h"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace fx {

/// Whether people mean the target by the text: torch.ops.aten.relu.default is also aten.relu.default,
/// aten.relu and relu.
bool isNamedBy(Target target, std::string_view text);

/// Whether a breakpoint stops before the node, whatever its condition says. A scope stops when it is entered:
/// `previousScope` is the scope of the node before, in the same graph; `isRead`: the node is an input or a
/// weight, which enters none.
bool isAt(const Breakpoint& breakpoint, const Node& node, NodeRef ref, const ScopeTree& scopes,
          int previousScope, bool isRead);

class BreakpointList {
public:
    void set(std::vector<Breakpoint> breakpoints) { m_breakpoints = std::move(breakpoints); }
    /// Sets the list if there is one.
    void replace(std::optional<std::vector<Breakpoint>> breakpoints) {
        if (breakpoints)
            set(std::move(*breakpoints));
    }
    const std::vector<Breakpoint>& all() const { return m_breakpoints; }

    /// The breakpoint that stops before `node`, or null. Counts hits. `holds` evaluates a condition.
    const Breakpoint* before(const Node& node, NodeRef ref, const ScopeTree& scopes, int previousScope,
                             bool isRead, const std::function<bool(const Breakpoint&)>& holds);
    /// The breakpoint on NaN and Inf that stops after a node with such a value, or null.
    const Breakpoint* after(const Health& health, const std::function<bool(const Breakpoint&)>& holds);
    bool watchesHealth() const;
    /// Removes a temporary breakpoint after its stop.
    void removeIfTemporary(int id);
    /// Whether hits were counted or a breakpoint went since this was last asked.
    bool takeNews() { return std::exchange(m_hasNews, false); }

private:
    bool hit(Breakpoint& breakpoint, const std::function<bool(const Breakpoint&)>& holds);
    std::vector<Breakpoint> m_breakpoints;
    bool m_hasNews = false;
};

/// Appends a breakpoint under a number that no other one has, and returns the number.
int addBreakpoint(std::vector<Breakpoint>& breakpoints, Breakpoint breakpoint);

/// "node linear_3", "op call_function", "scope layer1.0", "NaN or Inf": for lists and messages.
std::string breakpointText(const Breakpoint& breakpoint, const Model& model);

} // namespace fx
