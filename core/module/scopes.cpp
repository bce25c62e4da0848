// SPDX-License-Identifier: GPL-3.0-or-later
// Reads module stacks; a node without one joins the nodes that read it, so that a weight stands where it is
// used. Where no node has one, as in a pickled GraphModule, the targets of calls tell the modules:
// "layer1.0.conv1" is called in "layer1.0".
#include "core/module/scopes.h"

#include "core/base/text.h"

#include <algorithm>
#include <map>

namespace fx {

namespace {

/// The path under which a frame is shown: the path of the module, and which call of it, from torch's key.
std::string scopePath(const ModuleFrame& frame) {
    const size_t at = frame.key.rfind('@');
    const bool isLaterCall = at != std::string::npos && !contains(frame.path, "@");
    return isLaterCall ? frame.path + frame.key.substr(at) : frame.path;
}

/// Says nothing of where it is called.
bool isSilent(const Node& node) {
    return node.opcode == Opcode::GetAttr || node.opcode == Opcode::Placeholder ||
           node.opcode == Opcode::Output;
}

bool isPathInside(const std::string& inner, const std::string& outer) {
    return outer.empty() || inner == outer || inner.starts_with(outer + '.');
}

using Paths = std::map<NodeId, std::string>;

/// The module that calls each node, by the targets of the calls of modules.
Paths pathsByTarget(const Graph& graph) {
    Paths paths;
    for (const Node& node : graph)
        if (node.opcode == Opcode::CallModule)
            paths[node.id] = parentPath(node.target.name());
    if (paths.empty())
        return paths;
    // A function belongs to where its last input was made; on its own way to another module, to what is
    // around both.
    for (const Node& node : graph) {
        if (isSilent(node) || node.opcode == Opcode::CallModule)
            continue;
        NodeId last;
        size_t inputs = 0;
        for (const InputUse& use : node.inputs) {
            if (graph.node(use.node).opcode == Opcode::GetAttr)
                continue;
            ++inputs;
            if (!last || graph.precedes(last, use.node))
                last = use.node;
        }
        std::string path = last ? paths[last] : std::string();
        const auto isReadBy = [&](NodeId user) {
            const auto found = paths.find(user);
            return found == paths.end() ? !isSilent(graph.node(user)) : isPathInside(found->second, path);
        };
        if (inputs < 2 && std::none_of(node.users.begin(), node.users.end(), isReadBy))
            for (NodeId user : node.users)
                while (!isPathInside(paths[user], path))
                    path = std::string(parentPath(path));
        paths[node.id] = path;
    }
    return paths;
}

} // namespace

std::string shortTypeName(std::string_view type) {
    // Older files write "<class 'a.b.C'>".
    if (type.starts_with("<class '"))
        type = type.substr(8, type.find('\'', 8) - 8);
    return std::string(type.substr(type.rfind('.') + 1));
}

ScopeTree::ScopeTree(const Graph& graph) {
    m_scopes.emplace_back();
    bool hasStacks = false;
    for (const Node& node : graph)
        hasStacks |= node.meta.find<ModuleStack>(meta::kModuleStack) != nullptr;
    const Paths paths = hasStacks ? Paths() : pathsByTarget(graph);
    std::vector<NodeId> homeless;
    for (const Node& node : graph) {
        if (const auto path = paths.find(node.id); path != paths.end()) {
            int scope = 0;
            for (size_t dot = path->second.find('.'); !path->second.empty();
                 dot = path->second.find('.', dot + 1)) {
                scope = child(scope, path->second.substr(0, dot), "");
                if (dot == std::string::npos)
                    break;
            }
            m_ofNode[node.id] = scope;
            continue;
        }
        const auto* stack = node.meta.find<ModuleStack>(meta::kModuleStack);
        if (isSilent(node) || !stack) {
            homeless.push_back(node.id);
            continue;
        }
        int scope = 0;
        for (const ModuleFrame& frame : *stack) {
            const bool isRoot = frame.path.empty() || frame.path.starts_with("_empty_nn_module_stack");
            // A leaf's call stands where it is made; its module is the box itself.
            if (node.opcode == Opcode::CallModule && frame.path == node.target.name())
                continue;
            if (isRoot) {
                if (m_scopes[0].type.empty() && frame.path.empty())
                    m_scopes[0].type = frame.type;
                continue;
            }
            scope = child(scope, scopePath(frame), frame.type);
        }
        m_ofNode[node.id] = scope;
    }
    // A call that the source makes outside of any module is the root's own.
    const auto isMade = [](const Node& node) {
        return node.opcode == Opcode::CallFunction && !node.meta.find(meta::kStackTrace);
    };
    // Readers come later in the graph, so the last homeless node finds its readers placed first.
    for (auto id = homeless.rbegin(); id != homeless.rend(); ++id) {
        const Node& node = graph.node(*id);
        int scope = 0;
        if (node.opcode == Opcode::GetAttr || isMade(node)) {
            scope = -1;
            for (NodeId user : node.users) {
                const int other = scopeOf(user);
                scope = scope == -1 || scope == other ? other : 0;
            }
        }
        m_ofNode[*id] = std::max(scope, 0);
    }
    // On the way from one module to another, a call stands in what is around both.
    for (const NodeId id : homeless) {
        const Node& node = graph.node(id);
        if (!isMade(node))
            continue;
        int& scope = m_ofNode[id];
        for (const InputUse& use : node.inputs)
            if (!isSilent(graph.node(use.node)))
                while (!isInside(scopeOf(use.node), scope))
                    scope = this->scope(scope).parent;
    }
    for (const Node& node : graph)
        m_scopes[static_cast<size_t>(scopeOf(node.id))].nodes.push_back(node.id);
    countNodes();
}

ScopeTree::ScopeTree(std::vector<Scope> scopes) : m_scopes(std::move(scopes)) {
    for (size_t i = 0; i < m_scopes.size(); ++i) {
        if (i > 0)
            m_byPath.emplace(m_scopes[i].path, static_cast<int>(i));
        for (const NodeId node : m_scopes[i].nodes)
            m_ofNode[node] = static_cast<int>(i);
    }
    countNodes();
}

void ScopeTree::countNodes() {
    for (Scope& scope : m_scopes)
        scope.nodeCount = scope.nodes.size();
    for (size_t i = m_scopes.size(); i-- > 1;)
        m_scopes[static_cast<size_t>(m_scopes[i].parent)].nodeCount += m_scopes[i].nodeCount;
}

int ScopeTree::child(int parent, const std::string& path, const std::string& type) {
    const auto [entry, isNew] = m_byPath.try_emplace(path, static_cast<int>(m_scopes.size()));
    if (isNew) {
        m_scopes[static_cast<size_t>(parent)].children.push_back(entry->second);
        Scope& scope = m_scopes.emplace_back();
        scope.parent = parent;
        scope.path = path;
        scope.type = type;
    }
    return entry->second;
}

int ScopeTree::scopeOf(NodeId node) const {
    const auto found = m_ofNode.find(node);
    return found == m_ofNode.end() ? 0 : found->second;
}

int ScopeTree::find(std::string_view path) const {
    if (path.empty())
        return 0;
    const auto found = m_byPath.find(std::string(path));
    return found == m_byPath.end() ? -1 : found->second;
}

bool ScopeTree::isInside(int inner, int outer) const {
    for (int scope = inner; scope >= 0; scope = this->scope(scope).parent)
        if (scope == outer)
            return true;
    return false;
}

int ScopeTree::around(int scope, const std::function<bool(const Scope&)>& fits) const {
    while (scope > 0 && !fits(this->scope(scope)))
        scope = this->scope(scope).parent;
    return scope > 0 ? scope : -1;
}

std::string modulePathOf(const ScopeTree& scopes, NodeId node) {
    const int module = scopes.around(scopes.scopeOf(node), [](const Scope& scope) { return !scope.isGroup; });
    return module < 0 ? std::string() : scopes.scope(module).path;
}

size_t commonFrames(const std::vector<ModuleStack>& stacks) {
    size_t out = stacks.front().size();
    for (const ModuleStack& stack : stacks) {
        size_t same = 0;
        while (same < std::min(out, stack.size()) && stack[same] == stacks.front()[same])
            ++same;
        out = same;
    }
    return out;
}

ModuleStack commonStack(const std::vector<ModuleStack>& stacks) {
    ModuleStack out;
    for (size_t level = 0, end = commonFrames(stacks); level < end; ++level)
        out.push_back(stacks.front()[level]);
    return out;
}

} // namespace fx
