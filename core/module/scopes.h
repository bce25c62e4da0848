// SPDX-License-Identifier: GPL-3.0-or-later
// The module hierarchy behind a graph's nodes: which call of which module each node belongs to.
// Pictures, breakpoints and stepping speak of scopes; the graph itself is flat.
#pragma once

#include "core/module/model.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace fx {

struct Scope {
    int parent = -1;           ///< index of the enclosing scope, -1 for the root
    std::string path;          ///< "layer1.0"; a second call of the module ends in "@1"
    std::string type;          ///< class of the module
    std::vector<NodeId> nodes; ///< directly in it, in graph order
    std::vector<int> children; ///< in the order of their first node
    size_t nodeCount = 0;      ///< with those of its children
};

/// The scopes of one graph. scopes()[0] is the root.
class ScopeTree {
public:
    explicit ScopeTree(const Graph& graph);

    const std::vector<Scope>& scopes() const { return m_scopes; }
    const Scope& scope(int index) const { return m_scopes[static_cast<size_t>(index)]; }
    /// The innermost scope of a node.
    int scopeOf(NodeId node) const;
    /// The scope with that path, or -1.
    int find(std::string_view path) const;
    bool isInside(int inner, int outer) const;

private:
    int child(int parent, const std::string& path, const std::string& type);

    std::vector<Scope> m_scopes;
    std::unordered_map<std::string, int> m_byPath;
    std::unordered_map<NodeId, int> m_ofNode;
};

/// How many frames, the outermost first, all of these have; of one stack or more.
size_t commonFrames(const std::vector<ModuleStack>& stacks);
/// Those frames.
ModuleStack commonStack(const std::vector<ModuleStack>& stacks);
/// The class name without its modules: "Linear" of "torch.nn.modules.linear.Linear".
std::string shortTypeName(std::string_view type);

} // namespace fx
