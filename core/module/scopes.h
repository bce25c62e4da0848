// SPDX-License-Identifier: GPL-3.0-or-later
// The module hierarchy behind a graph's nodes: which call of which module each node belongs to.
// Pictures, breakpoints and stepping speak of scopes; the graph itself is flat.
#pragma once

#include "core/module/model.h"

#include <functional>
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
    // Set by pictureScopes() (core/layout/picture_scopes.h):
    bool isGroup = false;    ///< no module has this path
    bool isConstant = false; ///< it reads no input of the graph
    size_t repeats = 0;      ///< it consists of so many equal blocks, and of nothing else
};

/// The scopes of one graph. scopes()[0] is the root.
class ScopeTree {
public:
    explicit ScopeTree(const Graph& graph);
    /// Of scopes whose nodes and children are known, each after the one around it.
    explicit ScopeTree(std::vector<Scope> scopes);

    const std::vector<Scope>& scopes() const { return m_scopes; }
    const Scope& scope(int index) const { return m_scopes[static_cast<size_t>(index)]; }
    /// The innermost scope of a node.
    int scopeOf(NodeId node) const;
    /// The scope with that path, or -1.
    int find(std::string_view path) const;
    bool isInside(int inner, int outer) const;
    /// The innermost scope that fits, of this one and those around it but the root; -1 if none does.
    int around(int scope, const std::function<bool(const Scope&)>& fits) const;

private:
    int child(int parent, const std::string& path, const std::string& type);
    void countNodes();

    std::vector<Scope> m_scopes;
    std::unordered_map<std::string, int> m_byPath;
    std::unordered_map<NodeId, int> m_ofNode;
};

/// The path of the module that calls a node: of the innermost scope that is no group of a picture.
std::string modulePathOf(const ScopeTree& scopes, NodeId node);
/// How many frames, the outermost first, all of these have; of one stack or more.
size_t commonFrames(const std::vector<ModuleStack>& stacks);
/// Those frames.
ModuleStack commonStack(const std::vector<ModuleStack>& stacks);
/// The class name without its modules: "Linear" of "torch.nn.modules.linear.Linear".
std::string shortTypeName(std::string_view type);

} // namespace fx
