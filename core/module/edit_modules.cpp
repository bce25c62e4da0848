// SPDX-License-Identifier: GPL-3.0-or-later
// The verbs on the module tree, as torch.fx's GraphModule and torch.nn.Module have them.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/module/edit.h"

#include <set>

namespace fx {

namespace {

/// The index of the entry with that name, or the size of the list. From its end, as those who take many away
/// begin there.
template <class Entries>
size_t indexNamed(const Entries& entries, std::string_view name) {
    const auto isOther = [&](const std::string& other) {
        return other.size() != name.size() || (!name.empty() && other.back() != name.back()) || other != name;
    };
    for (size_t index = entries.size(); index-- > 0;)
        if (!isOther(entries[index].name))
            return index;
    return entries.size();
}

template <class Entry>
std::optional<Entry> entryAt(const std::vector<Entry>& entries, size_t index) {
    return index < entries.size() ? std::optional(entries[index]) : std::nullopt;
}

} // namespace

ModuleId Edit::createModule(std::string type, bool withGraph) {
    // Slots are never taken back: a module that no parent names is out of the model's sight.
    Module& module = m_model.m_modules.emplace_back();
    module.id = ModuleId{static_cast<int32_t>(m_model.m_modules.size()) - 1};
    module.type = std::move(type);
    if (withGraph)
        module.graph = Graph();
    return module.id;
}

void Edit::fillModule(ModuleId fresh, Module contents) {
    contents.id = fresh;
    m_model.m_modules[fresh.value] = std::move(contents);
}

void Edit::fillGraph(Graph graph) {
    m_model.m_modules[m_module.value].graph = std::move(graph);
}

TensorId Edit::createTensor(TensorSlot slot) {
    m_model.m_tensors.push_back(std::move(slot));
    return TensorId{static_cast<int32_t>(m_model.m_tensors.size()) - 1};
}

ModuleId Edit::makeParent(std::string_view path, std::string& leaf) {
    ModuleId parent = m_module;
    for (std::optional<std::string_view> rest = path;;) {
        const std::string_view atom = takePart(rest, '.');
        if (!rest) {
            leaf = atom;
            return parent;
        }
        const Module& owner = m_model.module(parent);
        ModuleId child = owner.child(atom);
        if (!child && (owner.tensor(atom) || owner.value(atom)))
            return {};
        if (!child) {
            child = createModule(kPlainModule);
            const size_t end = m_model.module(parent).children.size();
            perform(parent, ChildChanged{end, std::nullopt, NamedModule{std::string(atom), child}});
        }
        parent = child;
    }
}

bool Edit::addSubmodule(std::string_view path, ModuleId module) {
    std::string leaf;
    const ModuleId parent = makeParent(path, leaf);
    if (!parent)
        return false;
    const auto& children = m_model.module(parent).children;
    const size_t index = indexNamed(children, leaf);
    perform(parent, ChildChanged{index, entryAt(children, index), NamedModule{leaf, module}});
    return true;
}

bool Edit::deleteSubmodule(std::string_view path) {
    const size_t dot = path.rfind('.');
    const std::string_view parentPath =
        dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
    const ModuleId parent = m_model.resolve(m_module, parentPath).module;
    if (!parent)
        return false;
    const auto& children = m_model.module(parent).children;
    const size_t index = indexNamed(children, dot == std::string_view::npos ? path : path.substr(dot + 1));
    if (index == children.size())
        return false;
    perform(parent, ChildChanged{index, children[index], std::nullopt});
    return true;
}

void Edit::deleteAllUnusedSubmodules() {
    std::set<std::string> used;
    for (const Node& node : graph()) {
        if (node.opcode != Opcode::CallModule && node.opcode != Opcode::GetAttr)
            continue;
        // Every prefix is needed to reach the target; a called module may call all that it holds.
        const std::string& path = node.target.name();
        for (size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', dot + 1))
            used.insert(path.substr(0, dot));
        const ModuleId target = m_model.resolve(m_module, path).module;
        if (!target)
            continue;
        used.insert(path);
        if (node.opcode == Opcode::CallModule)
            m_model.forEachModule(target, [&](ModuleId, const std::string& below) {
                used.insert(below.empty() ? path : path + '.' + below);
            });
    }
    std::vector<std::string> unused;
    m_model.forEachModule(m_module, [&](ModuleId, const std::string& path) {
        if (!path.empty() && !used.contains(path))
            unused.push_back(path);
    });
    for (const std::string& path : unused)
        deleteSubmodule(path);
}

void Edit::setTensor(std::string_view path, TensorId tensor, TensorRole role) {
    std::string leaf;
    const ModuleId parent = makeParent(path, leaf);
    if (!parent)
        throw Error(std::string(path), "cannot hold a tensor: its parent is not a module");
    const auto& tensors = m_model.module(parent).tensors;
    const size_t index = indexNamed(tensors, leaf);
    perform(parent, TensorChanged{index, entryAt(tensors, index), NamedTensor{leaf, tensor, role}});
}

bool Edit::deleteTensor(std::string_view path) {
    std::string leaf;
    const ModuleId parent = makeParent(path, leaf);
    if (!parent)
        return false;
    const auto& tensors = m_model.module(parent).tensors;
    const size_t index = indexNamed(tensors, leaf);
    if (index == tensors.size())
        return false;
    perform(parent, TensorChanged{index, tensors[index], std::nullopt});
    return true;
}

void Edit::setValue(std::string_view path, std::optional<Argument> value) {
    std::string leaf;
    const ModuleId parent = makeParent(path, leaf);
    if (!parent)
        throw Error(std::string(path), "cannot hold a value: its parent is not a module");
    const auto& values = m_model.module(parent).values;
    const size_t index = indexNamed(values, leaf);
    if (index == values.size() && !value)
        return;
    std::optional<NamedValue> after;
    if (value)
        after = NamedValue{leaf, std::move(*value)};
    perform(parent, ValueChanged{index, entryAt(values, index), std::move(after)});
}

void Edit::setTraining(bool isTraining) {
    if (m_model.module(m_module).isTraining != isTraining)
        perform(m_module, TrainingChanged{!isTraining, isTraining});
}

} // namespace fx
