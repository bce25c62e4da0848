// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rewrite/replacement_attributes.h"

#include "core/base/error.h"
#include "core/base/file_memory.h"
#include "core/base/text.h"
#include "core/module/lint.h"
#include "core/rewrite/node_comparison.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

/// Copies modules from one model into another: deeply, as copy.deepcopy does, with what is shared inside of
/// the copy still shared.
class ModuleCopier {
public:
    ModuleCopier(Edit& edit, const Model& source) : m_edit(edit), m_source(source) {}

    TensorId tensor(TensorId id) {
        if (!id)
            return {};
        const auto [copy, isNew] = m_tensors.try_emplace(id);
        if (isNew) {
            const TensorSlot& slot = m_source.tensor(id);
            copy->second = m_edit.createTensor(TensorSlot(slot.meta(), [slot] {
                const at::Tensor value = slot.value();
                at::Tensor own = value.clone();
                if (value.has_storage())
                    requireUnchanged(value.storage().data());
                return own;
            }));
        }
        return copy->second;
    }

    ModuleId module(ModuleId id) {
        const auto [copy, isNew] = m_modules.try_emplace(id);
        if (!isNew)
            return copy->second;
        const Module& source = m_source.module(id);
        const ModuleId fresh = m_edit.createModule(source.type, bool(source.graph));
        copy->second = fresh;
        std::vector<std::pair<std::string, ModuleId>> children;
        for (const NamedModule& child : source.children)
            children.emplace_back(child.name, module(child.module));
        m_edit.enter(fresh);
        for (const auto& [name, child] : children)
            m_edit.addSubmodule(name, child);
        for (const NamedTensor& entry : source.tensors)
            m_edit.setTensor(entry.name, tensor(entry.tensor), entry.role);
        for (const NamedValue& entry : source.values)
            m_edit.setValue(entry.name, entry.value);
        m_edit.setTraining(source.isTraining);
        if (source.graph)
            copyGraph(*source.graph);
        return fresh;
    }

private:
    void copyGraph(const Graph& graph) {
        NodeMap map;
        const std::optional<Argument> result = m_edit.graphCopy(graph, map);
        if (result)
            m_edit.output(*result);
        m_edit.setSignature(graph.signature());
    }

    Edit& m_edit;
    const Model& m_source;
    std::map<ModuleId, ModuleId> m_modules;
    std::map<TensorId, TensorId> m_tensors;
};

bool isThere(const Model& model, ModuleId module, std::string_view path) {
    const AttributeKind kind = attributeKind({&model, module}, path);
    return kind != AttributeKind::Missing && kind != AttributeKind::None;
}

/// As Python's setattr on the module itself does: a dotted name is no path for it.
void setAttribute(Edit& edit, const Model& source, std::string_view path, std::string_view as) {
    const Attribute found = source.resolve(source.root(), path);
    const bool isParameter = found.tensor && found.role == TensorRole::Parameter;
    if (contains(as, ".")) {
        if (isParameter)
            throw Error(std::string(path), "'parameter name can\\'t contain \".\"'").kind("KeyError");
        return; // torch.fx sets an attribute that no path leads to; lint then misses the target
    }
    if (found.value) {
        edit.setValue(as, *found.value);
        return;
    }
    ModuleCopier copier(edit, source);
    edit.setTensor(as, copier.tensor(found.tensor),
                   isParameter ? TensorRole::Parameter : TensorRole::Constant);
}

} // namespace

void takeOverAttributes(Edit& edit, const Model& source) {
    edit.deleteAllUnusedSubmodules();
    requireSound(source, source.root());
    const ModuleId module = edit.module();
    std::vector<NodeId> withPaths;
    for (const Node& node : edit.graph())
        if (node.opcode == Opcode::GetAttr || node.opcode == Opcode::CallModule)
            withPaths.push_back(node.id);
    for (NodeId id : withPaths) {
        const std::string path = edit.node(id).target.name();
        if (isThere(edit.model(), module, path))
            continue;
        if (!isThere(source, source.root(), path))
            throw Error("node '" + edit.node(id).name + "'",
                        "('Attempted to create a \"', '" + std::string(opcodeName(edit.node(id).opcode)) +
                            "', '\" node during subgraph rewriting with target " + path +
                            ", but the referenced attribute does not exist in the replacement GraphModule')")
                .kind("RuntimeError");
        if (const ModuleId found = source.resolve(source.root(), path).module) {
            const ModuleId copy = ModuleCopier(edit, source).module(found);
            edit.enter(module);
            edit.addSubmodule(path, copy);
        } else {
            setAttribute(edit, source, path, path);
        }
    }
    requireSound(edit.model(), module);
}

void takeOverConstants(Edit& edit, const Model& source, const std::vector<NodeId>& nodes) {
    for (NodeId id : nodes) {
        if (!edit.graph().contains(id) || edit.node(id).opcode != Opcode::GetAttr)
            continue;
        const std::string path = edit.node(id).target.name();
        const bool isMissing = !contains(path, ".") && !isThere(edit.model(), edit.module(), path);
        if (isMissing && isThere(source, source.root(), path) && !source.resolve(source.root(), path).module)
            setAttribute(edit, source, path, path);
    }
}

ModuleId copyModule(Edit& edit, const Model& source, ModuleId module) {
    return ModuleCopier(edit, source).module(module);
}

namespace {

/// The path, or with a number behind it.
std::string freePath(const Edit& edit, const std::string& path) {
    std::string out = path;
    for (int i = 1; edit.model().resolve(edit.module(), out); ++i)
        out = path + '_' + std::to_string(i);
    return out;
}

} // namespace

AttributePaths copyAttributes(Edit& edit, const Model& source, ModuleId from,
                              std::vector<std::string> paths) {
    const ModuleId module = edit.module();
    ModuleCopier copier(edit, source);
    AttributePaths out;
    // In this order a module comes before what is in it, which it brings along.
    std::ranges::sort(paths);
    for (const std::string& path : paths) {
        const auto within =
            std::ranges::find_if(out, [&](const auto& done) { return path.starts_with(done.first + '.'); });
        if (within != out.end() && source.resolve(from, within->first).module) {
            out[path] = within->second + path.substr(within->first.size());
            continue;
        }
        if (out.contains(path))
            continue;
        const Attribute found = source.resolve(from, path);
        if (!found)
            throw Error("", "there is nothing called '" + path + "' any more");
        const std::string as = freePath(edit, path);
        if (found.module) {
            const ModuleId copy = copier.module(found.module);
            edit.enter(module);
            if (!edit.addSubmodule(as, copy))
                throw Error("", "there is no place for a module at '" + as + "'");
        } else if (found.tensor) {
            edit.setTensor(as, copier.tensor(found.tensor), found.role);
        } else {
            edit.setValue(as, *found.value);
        }
        out[path] = as;
    }
    return out;
}

std::string copyConstant(Edit& edit, const Model& source, const std::string& path) {
    std::string as = replaceAll(path, ".", "_");
    for (int i = 0; isThere(edit.model(), edit.module(), as); ++i)
        as = replaceAll(path, ".", "_") + '_' + std::to_string(i);
    setAttribute(edit, source, path, as);
    return as;
}

} // namespace fx
