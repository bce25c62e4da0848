// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/group_scope.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/module/scopes.h"
#include "core/passes/pass_options.h"

#include <algorithm>

namespace fx {

namespace {

constexpr const char* kGroup = "Group"; ///< in the place of a module's class

std::string joined(const std::string& scope, const std::string& name) {
    return scope.empty() ? name : scope + '.' + name;
}

/// Of "a.b" in the scope "a": "b".
std::string below(const std::string& path, const std::string& scope) {
    return scope.empty() ? path : path.starts_with(scope + '.') ? path.substr(scope.size() + 1) : path;
}

/// The frame at another path; which call of its module it is stays.
ModuleFrame movedFrame(const ModuleFrame& frame, const std::string& path) {
    const size_t at = frame.key.rfind('@');
    const std::string call =
        at != std::string::npos && !contains(path, "@") ? frame.key.substr(at) : std::string();
    return {path + call, path, frame.type};
}

class ScopeStacks {
public:
    explicit ScopeStacks(Edit& edit) : m_edit(edit), m_tree(edit.graph()) {}
    const ScopeTree& tree() const { return m_tree; }

    /// The modules around a node, without the one that it calls.
    ModuleStack around(NodeId id) const {
        const Node& node = m_edit.node(id);
        const auto* stack = node.meta.find<ModuleStack>(meta::kModuleStack);
        if (!stack)
            return ofScope(m_tree.scopeOf(id));
        ModuleStack out;
        for (const ModuleFrame& frame : *stack)
            if (!isOwn(node, frame))
                out.push_back(frame);
        return out;
    }

    /// What is around it, with the frame of the module that it calls.
    void set(NodeId id, ModuleStack stack) {
        const Node& node = m_edit.node(id);
        if (const auto* before = node.meta.find<ModuleStack>(meta::kModuleStack))
            for (const ModuleFrame& frame : *before)
                if (isOwn(node, frame))
                    stack.push_back(frame);
        m_edit.setMeta(id, meta::kModuleStack, MetaValue(std::move(stack)));
    }

    /// Where no node has a stack, the tree is that of what is called: once one has a stack, all need theirs.
    void writeAll() {
        std::vector<NodeId> calls;
        for (const Node& node : m_edit.graph()) {
            if (node.meta.find<ModuleStack>(meta::kModuleStack))
                return;
            if (isCall(node))
                calls.push_back(node.id);
        }
        for (const NodeId id : calls)
            set(id, ofScope(m_tree.scopeOf(id)));
    }

    static bool isCall(const Node& node) {
        return node.opcode != Opcode::Placeholder && node.opcode != Opcode::GetAttr &&
               node.opcode != Opcode::Output;
    }

private:
    static bool isOwn(const Node& node, const ModuleFrame& frame) {
        return node.opcode == Opcode::CallModule && frame.path == node.target.name();
    }

    ModuleStack ofScope(int scope) const {
        std::vector<const Scope*> scopes;
        for (; scope > 0; scope = m_tree.scope(scope).parent)
            scopes.push_back(&m_tree.scope(scope));
        ModuleStack out{{"", "", m_tree.scope(0).type}};
        for (auto at = scopes.rbegin(); at != scopes.rend(); ++at)
            out.push_back({(*at)->path, (*at)->path, (*at)->type});
        return out;
    }

    Edit& m_edit;
    const ScopeTree m_tree;
};

} // namespace

void runGroup(Edit& edit, const PassOptions& options, PassContext& context) {
    const std::string& name = options.text("name");
    if (!isIdentifier(name))
        throw Error("--name", pythonRepr(name) + " is no name of a scope");
    std::vector<NodeId> nodes = options.nodes("nodes", edit.graph());
    std::erase_if(nodes, [&](NodeId id) { return !ScopeStacks::isCall(edit.node(id)); });
    if (nodes.empty())
        throw Error("--nodes", "names no call")
            .hint("inputs and outputs are in no scope, and weights in that of "
                  "what reads them");
    ScopeStacks stacks(edit);
    std::vector<ModuleStack> all;
    for (const NodeId id : nodes)
        all.push_back(stacks.around(id));
    const size_t common = commonFrames(all);
    const std::string around = common ? all.front()[common - 1].path : std::string();
    const std::string path = joined(around, name);
    const int known = stacks.tree().find(path);
    const std::string type = known > 0 ? stacks.tree().scope(known).type : kGroup;
    stacks.writeAll();
    for (size_t i = 0; i < nodes.size(); ++i) {
        ModuleStack stack;
        for (size_t level = 0; level < common; ++level)
            stack.push_back(all[i][level]);
        stack.push_back({path, path, type});
        for (size_t level = common; level < all[i].size(); ++level)
            stack.push_back(movedFrame(all[i][level], joined(path, below(all[i][level].path, around))));
        stacks.set(nodes[i], std::move(stack));
    }
    context.results.push_back(path + ": " + plural(nodes.size(), "node") +
                              (known > 0 ? ", beside those that are there" : ""));
}

std::vector<PassOption> groupOptions() {
    using enum OptionType;
    return {{.name = "nodes", .type = Nodes, .help = "calls of the scope", .isRequired = true},
            {.name = "name",
             .type = String,
             .help = "of the scope, within the innermost that all are in",
             .byDefault = "group"}};
}

void runUngroup(Edit& edit, const PassOptions& options, PassContext& context) {
    const std::string& path = options.text("scope");
    ScopeStacks stacks(edit);
    const int scope = stacks.tree().find(path);
    if (scope <= 0)
        throw Error("--scope", "there is no scope " + pythonRepr(path) + " in this graph");
    if (stacks.tree().scope(scope).type != kGroup)
        throw Error("--scope", pythonRepr(path) + " is a module").hint("inline it where it has a graph");
    const std::string around(parentPath(path));
    size_t count = 0;
    for (const Node& node : edit.graph()) {
        if (!ScopeStacks::isCall(node) || !stacks.tree().isInside(stacks.tree().scopeOf(node.id), scope))
            continue;
        ModuleStack stack;
        for (const ModuleFrame& frame : stacks.around(node.id))
            if (frame.path != path)
                stack.push_back(frame.path.starts_with(path + '.')
                                    ? movedFrame(frame, joined(around, below(frame.path, path)))
                                    : frame);
        stacks.set(node.id, std::move(stack));
        ++count;
    }
    context.results.push_back(plural(count, "node") + " in " + (around.empty() ? "no scope" : around));
}

std::vector<PassOption> ungroupOptions() {
    return {{.name = "scope",
             .type = OptionType::String,
             .help = "its path: layer1.0.group",
             .isRequired = true}};
}

} // namespace fx
