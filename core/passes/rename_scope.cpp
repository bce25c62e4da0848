// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/rename_scope.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/module/scopes.h"
#include "core/passes/pass_options.h"

#include <algorithm>

namespace fx {

namespace {

/// One step of a path: a module and the name of one of its children.
struct Child {
    ModuleId parent;
    std::string name;
};

/// Siblings keep their order, which is that of the model's parameters.
void renameChild(Edit& edit, const Child& child, const std::string& fresh) {
    const ModuleId home = edit.module();
    edit.enter(child.parent);
    const std::vector<NamedModule> all = edit.model().module(child.parent).children;
    const auto from = std::ranges::find(all, child.name, &NamedModule::name);
    for (auto each = from; each != all.end(); ++each)
        edit.deleteSubmodule(each->name);
    for (auto each = from; each != all.end(); ++each)
        edit.addSubmodule(each == from ? fresh : each->name, each->module);
    edit.enter(home);
}

/// The path with each step over that child under its fresh name.
std::string renamedPath(const Model& model, ModuleId from, const std::string& path, const Child& child,
                        const std::string& fresh) {
    std::vector<std::string> steps;
    ModuleId at = from;
    for (const std::string_view step : split(path, '.')) {
        steps.emplace_back(at == child.parent && step == child.name ? fresh : step);
        at = at ? model.module(at).child(step) : ModuleId();
    }
    return join(steps, ".");
}

/// Of "layer1.0" also "layer1.0.conv" and "layer1.0@1", its second call.
bool isAtOrBelow(std::string_view path, std::string_view scope) {
    return path.starts_with(scope) &&
           (path.size() == scope.size() || path[scope.size()] == '.' || path[scope.size()] == '@');
}

class ScopeRenamer {
public:
    ScopeRenamer(Edit& edit, const std::string& scope, const std::string& fresh)
        : m_edit(edit), m_scope(scope), m_name(fresh) {
        const std::string parent(parentPath(scope));
        m_path = parent.empty() ? fresh : parent + '.' + fresh;
        m_child = {edit.model().resolve(edit.module(), parent).module,
                   scope.substr(parent.empty() ? 0 : parent.size() + 1)};
    }

    /// The line that tells it.
    std::string run() {
        const Model& model = m_edit.model();
        const ScopeTree scopes(m_edit.graph());
        const ModuleId module = model.resolve(m_edit.module(), m_scope).module;
        if (!module && scopes.find(m_scope) < 0)
            throw Error("--scope", "there is no scope " + pythonRepr(m_scope) + " in this graph");
        if (scopes.find(m_path) >= 0 || model.resolve(m_edit.module(), m_path))
            throw Error("--name", "there is " + pythonRepr(m_path) + " already");
        const ModuleId home = m_edit.module();
        std::vector<ModuleId> owners;
        model.forEachModule(model.root(), [&](ModuleId id, const std::string&) {
            if (model.module(id).graph)
                owners.push_back(id);
        });
        // By the tree as it was: paths are followed in it.
        for (const ModuleId owner : owners) {
            m_edit.enter(owner);
            for (const Node& node : m_edit.graph())
                rename(node.id, module);
        }
        m_edit.enter(home);
        if (module)
            renameChild(m_edit, m_child, m_name);
        return m_scope + " is " + m_path + ": " + plural(m_nodes, "node") +
               (module ? ", and the module with what it holds" : "");
    }

private:
    void rename(NodeId id, ModuleId module) {
        const Node& node = m_edit.node(id);
        bool isChanged = false;
        if (module && (node.opcode == Opcode::CallModule || node.opcode == Opcode::GetAttr)) {
            const std::string target =
                renamedPath(m_edit.model(), m_edit.module(), node.target.name(), m_child, m_name);
            if ((isChanged = target != node.target.name()))
                m_edit.setTarget(id, Target(target));
        }
        if (const auto* stack = node.meta.find<ModuleStack>(meta::kModuleStack)) {
            ModuleStack renamed;
            for (ModuleFrame frame : *stack) {
                if (isAtOrBelow(frame.path, m_scope))
                    frame.path = m_path + frame.path.substr(m_scope.size());
                renamed.push_back(std::move(frame));
            }
            if (!(renamed == *stack)) {
                isChanged = true;
                m_edit.setMeta(id, meta::kModuleStack, MetaValue(renamed));
            }
        }
        m_nodes += isChanged;
    }

    Edit& m_edit;
    const std::string m_scope, m_name;
    std::string m_path; ///< that it has afterwards
    Child m_child;
    size_t m_nodes = 0;
};

} // namespace

void runRenameScope(Edit& edit, const PassOptions& options, PassContext& context) {
    const std::string scope(split(options.text("scope"), '@').front()); // all calls of the module
    const std::string& name = options.text("name");
    const bool isNumber =
        !name.empty() && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
    if (!isIdentifier(name) && !isNumber)
        throw Error("--name", pythonRepr(name) + " is no name of a module");
    context.results.push_back(ScopeRenamer(edit, scope, name).run());
}

std::vector<PassOption> renameScopeOptions() {
    using enum OptionType;
    return {{.name = "scope", .type = String, .help = "its path: layer1.0", .isRequired = true},
            {.name = "name",
             .type = String,
             .help = "the last part of its path from then on",
             .isRequired = true}};
}

} // namespace fx
