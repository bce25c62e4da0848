// SPDX-License-Identifier: GPL-3.0-or-later
// Whether one node of a pattern can be one node of a graph, looking at these two alone, and which of their
// arguments face each other. How nodes hang together is left to match_search.h.
#pragma once

#include "core/module/model.h"

#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fx {

/// A graph with the module that owns it, by which attributes are found.
struct OwnedGraph {
    const Model* model = nullptr;
    ModuleId module;

    const Graph& graph() const { return model->graph(module); }
    const Node& node(NodeId id) const { return graph().node(id); }
};

/// What stands at the same place of two calls.
struct FacingArguments {
    const Argument* pattern;
    const Argument* graph;
};

enum class AttributeKind { Missing, None, Parameter, Tensor, Module, Value };
/// What a get_attr node reads.
AttributeKind attributeKind(const OwnedGraph& owner, std::string_view path);

class NodeComparison {
public:
    NodeComparison(OwnedGraph pattern, OwnedGraph target, bool matchesPlaceholders);

    /// torch.fx's rule: a placeholder is any node, a get_attr any attribute of the same class, everything
    /// else has its target. With `nameContains`, a node with that in its name is equal to all. Throws as
    /// torch.fx does where attributes are no tensors.
    bool areEqual(const Node& pattern, const Node& node, std::string_view nameContains = {}) const;

    /// Appends the arguments pairwise, positional ones first. False where their numbers or keywords differ
    /// and there is no schema by which the missing ones could be filled in.
    bool face(const Node& pattern, const Node& node, std::vector<FacingArguments>& out) const;

    const OwnedGraph& pattern() const { return m_pattern; }
    const OwnedGraph& target() const { return m_target; }

private:
    struct Parameter {
        std::string name;
        bool isKeywordOnly;
        Argument defaultValue;
    };
    using Parameters = std::vector<Parameter>;
    /// Of an operator overload; null for everything else.
    const Parameters* parametersOf(const Node& pattern) const;
    bool haveEqualAttributes(const Node& pattern, const Node& node) const;

    OwnedGraph m_pattern, m_target;
    bool m_matchesPlaceholders;
    mutable std::unordered_map<Target, std::unique_ptr<Parameters>> m_parameters;
};

} // namespace fx
