// SPDX-License-Identifier: GPL-3.0-or-later
// What a graph is called with, as Python calls a function.
#pragma once

#include "core/ir/graph.h"
#include "core/python/value.h"

#include <functional>
#include <initializer_list>
#include <optional>

namespace fx {

struct GraphInputs {
    Values values;        ///< in the order of the placeholders; those of `*args` come last
    NamedValues keywords; ///< by parameter, which is the target of its placeholder; those of `**kwargs`, too

    GraphInputs() = default;
    // Most graphs are called by position alone.
    GraphInputs(Values given, NamedValues named = {})
        : values(std::move(given)), keywords(std::move(named)) {}
    GraphInputs(std::initializer_list<Value> given) : values(given) {}

    /// None if nothing was given for the parameter by name.
    const Value* named(const std::string& parameter) const;
};

/// "*args" and "**kwargs": how many stars a parameter has.
int starsOf(const std::string& parameter);
/// The keywords that no other parameter takes, as a dict by name.
Value otherKeywords(const Graph& graph, const GraphInputs& inputs);

/// Reads what a graph was called with, placeholder by placeholder.
class InputReader {
public:
    InputReader() = default;
    /// Throws an Error for a keyword that the graph does not take, or that was given by position, too.
    InputReader(const Graph& graph, GraphInputs inputs);

    /// None: nothing was given for it. `isKept`: it may be read again.
    std::optional<Value> next(const Node& placeholder, bool isKept);
    /// As when all placeholders before the node have been read.
    void goTo(NodeId node);
    /// All that was given, in any order.
    void forEach(const std::function<void(const Value&)>& visit) const;

private:
    const Graph* m_graph = nullptr;
    GraphInputs m_inputs;
    size_t m_next = 0; ///< of the values
};

} // namespace fx
