// SPDX-License-Identifier: GPL-3.0-or-later
// The console's words for breakpoints.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/console/console.h"
#include "core/python/tree.h"
#include "core/run/breakpoints.h"

#include <algorithm>

namespace fx {

namespace {

/// What is no expression would only be told at the stop.
std::string checkedCondition(std::string_view text) {
    std::string out(trim(text));
    if (!out.empty())
        parseExpressionSource(out, "condition");
    return out;
}

} // namespace

void setCondition(Breakpoint& breakpoint, const std::string& condition) {
    breakpoint.condition = checkedCondition(condition);
}

Breakpoint Console::parseBreakpoint(const std::string& text) const {
    using Kind = Breakpoint::Kind;
    Breakpoint out;
    const size_t comma = text.find(',');
    const std::string where(trim(std::string_view(text).substr(0, comma)));
    if (comma != std::string::npos)
        out.condition = checkedCondition(std::string_view(text).substr(comma + 1));
    const auto named = [&](std::string_view key) {
        return where.starts_with(key) ? std::optional(where.substr(key.size())) : std::nullopt;
    };
    const Model& model = m_control.model();
    const Graph& graph = model.graph(here().module);
    // A run goes through nested graphs too.
    const auto isInSomeGraph = [&](const std::function<bool(const Graph&)>& has) {
        bool found = false;
        model.forEachModule(model.root(), [&](ModuleId id, const std::string&) {
            found = found || (model.module(id).graph && has(model.graph(id)));
        });
        return found;
    };
    const auto hasTarget = [&](const std::string& target) {
        return isInSomeGraph([&](const Graph& each) {
            return std::any_of(each.begin(), each.end(),
                               [&](const Node& node) { return isNamedBy(node.target, target); });
        });
    };
    if (where == "nan" || where == "inf" || where == "nonfinite") {
        out.kind = Kind::NonFinite;
    } else if (const auto opcode = named("op=")) {
        if (!opcodeFromName(*opcode)) {
            const std::string fault = "there is no opcode '" + *opcode + "'";
            throw Error("", hasTarget(*opcode) ? fault + "; `b target=" + *opcode + "` stops at its calls"
                                               : fault);
        }
        out.kind = Kind::Opcode;
        out.text = *opcode;
    } else if (const auto target = named("target=")) {
        if (!hasTarget(*target))
            throw Error("", "no node of the model calls '" + *target + "'");
        out.kind = Kind::Target;
        out.text = *target;
    } else if (const auto scope = named("scope=")) {
        if (!isInSomeGraph([&](const Graph& each) { return ScopeTree(each).find(*scope) >= 0; }))
            throw Error("", "no node of the model belongs to a module '" + *scope + "'");
        out.kind = Kind::Scope;
        out.text = *scope;
    } else {
        // A bare word is a node before anything else.
        try {
            out.node = nodeNamed(where);
        } catch (const Error&) {
            if (ScopeTree(graph).find(where) > 0)
                out.kind = Kind::Scope;
            else if (opcodeFromName(where))
                out.kind = Kind::Opcode;
            else if (hasTarget(where))
                out.kind = Kind::Target;
            else
                throw;
            out.text = where;
        }
    }
    return out;
}

void Console::addBreakpoint(const std::string& text, bool isTemporary) {
    Breakpoint breakpoint = parseBreakpoint(text);
    breakpoint.isTemporary = isTemporary;
    std::vector<Breakpoint> all = m_control.run().breakpoints();
    const std::string description = breakpointText(breakpoint, m_control.model());
    const int id = fx::addBreakpoint(all, std::move(breakpoint));
    m_control.setBreakpoints(std::move(all));
    say("breakpoint " + std::to_string(id) + ": " + description);
}

void Console::breakAt(const std::string& arguments) {
    if (!arguments.empty()) {
        addBreakpoint(arguments, false);
        return;
    }
    const std::vector<Breakpoint> all = m_control.run().breakpoints();
    if (all.empty())
        say("there are no breakpoints");
    for (const Breakpoint& b : all) {
        std::string line = std::to_string(b.id) + "  " + breakpointText(b, m_control.model());
        if (!b.condition.empty())
            line += "  if " + b.condition;
        if (b.isTemporary)
            line += "  (once)";
        if (!b.isEnabled)
            line += "  (disabled)";
        if (b.ignoreCount > 0)
            line += "  ignores the next " + plural(static_cast<uint64_t>(b.ignoreCount), "hit");
        if (b.hits > 0)
            line += "  hit " + plural(static_cast<uint64_t>(b.hits), "time");
        say(line);
    }
}

void Console::breakOnce(const std::string& arguments) {
    if (arguments.empty())
        throw Error("", "tbreak needs a place to stop at");
    addBreakpoint(arguments, true);
}

namespace {

/// "3 rest of the line": the breakpoint of that number, and the rest.
Breakpoint& numbered(std::vector<Breakpoint>& all, const std::string& text, std::string& rest) {
    const size_t blank = text.find(' ');
    const std::string number = text.substr(0, blank);
    rest = blank == std::string::npos ? "" : std::string(trim(std::string_view(text).substr(blank)));
    for (Breakpoint& breakpoint : all)
        if (std::to_string(breakpoint.id) == number)
            return breakpoint;
    throw Error("", "there is no breakpoint number '" + number + "'");
}

} // namespace

void Console::condition(const std::string& arguments) {
    std::vector<Breakpoint> all = m_control.run().breakpoints();
    std::string rest;
    Breakpoint& breakpoint = numbered(all, arguments, rest);
    setCondition(breakpoint, rest);
    const std::string id = std::to_string(breakpoint.id);
    m_control.setBreakpoints(std::move(all));
    say("breakpoint " + id + (rest.empty() ? " stops always" : ": stops only if " + rest));
}

void Console::ignore(const std::string& arguments) {
    std::vector<Breakpoint> all = m_control.run().breakpoints();
    std::string rest;
    Breakpoint& breakpoint = numbered(all, arguments, rest);
    breakpoint.ignoreCount = std::max(0, std::atoi(rest.c_str()));
    const std::string text = "breakpoint " + std::to_string(breakpoint.id) + " ignores the next " +
                             plural(static_cast<uint64_t>(breakpoint.ignoreCount), "hit");
    m_control.setBreakpoints(std::move(all));
    say(text);
}

void Console::clear(const std::string& arguments) {
    std::vector<Breakpoint> all = m_control.run().breakpoints();
    if (arguments.empty()) {
        m_control.setBreakpoints({});
        say("removed " + plural(all.size(), "breakpoint"));
        return;
    }
    const size_t before = all.size();
    std::erase_if(all, [&](const Breakpoint& b) {
        return std::to_string(b.id) == arguments ||
               (b.kind == Breakpoint::Kind::Node &&
                breakpointText(b, m_control.model()) == "node " + arguments);
    });
    if (all.size() == before)
        throw Error("", "there is no breakpoint '" + arguments + "'");
    const size_t removed = before - all.size();
    m_control.setBreakpoints(std::move(all));
    say("removed " + plural(removed, "breakpoint"));
}

void Console::setEnabled(const std::string& text, bool isEnabled) {
    std::vector<Breakpoint> all = m_control.run().breakpoints();
    std::string rest;
    numbered(all, text, rest).isEnabled = isEnabled;
    m_control.setBreakpoints(std::move(all));
    say("breakpoint " + text + (isEnabled ? " enabled" : " disabled"));
}

void Console::enable(const std::string& arguments) {
    setEnabled(arguments, true);
}

void Console::disable(const std::string& arguments) {
    setEnabled(arguments, false);
}

} // namespace fx
