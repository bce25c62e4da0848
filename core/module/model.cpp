// SPDX-License-Identifier: GPL-3.0-or-later
// Looking things up in the tree, and each step of the tree done and undone.
#include "core/module/model.h"

#include "core/base/text.h"

#include <unordered_set>

namespace fx {

namespace {

template <class Entries>
auto entryNamed(const Entries& entries, std::string_view name) -> decltype(entries.data()) {
    // Names of one module often begin alike: the last letter tells most apart.
    for (const auto& entry : entries)
        if (entry.name.size() == name.size() && (name.empty() || entry.name.back() == name.back()) &&
            entry.name == name)
            return &entry;
    return nullptr;
}

} // namespace

ModuleId Module::child(std::string_view name) const {
    const NamedModule* entry = entryNamed(children, name);
    return entry ? entry->module : ModuleId();
}

const NamedTensor* Module::tensor(std::string_view name) const {
    return entryNamed(tensors, name);
}

const Argument* Module::value(std::string_view name) const {
    const NamedValue* entry = entryNamed(values, name);
    return entry ? &entry->value : nullptr;
}

Model::Model(std::string rootType) {
    Module& root = m_modules.emplace_back();
    root.id = this->root();
    root.type = std::move(rootType);
    root.graph = Graph();
}

Model Model::withEmptyRootGraph() const {
    Model copy = *this;
    copy.m_modules.front().graph = Graph();
    return copy;
}

const std::vector<SourceText>& Model::sources() const {
    static const std::vector<SourceText> kNone;
    return m_sources ? *m_sources : kNone;
}

void Model::setSources(std::vector<SourceText> sources) {
    m_sources = std::make_shared<const std::vector<SourceText>>(std::move(sources));
}

Attribute Model::resolve(ModuleId from, std::string_view path) const {
    Attribute at;
    at.module = from;
    if (path.empty())
        return at;
    for (std::optional<std::string_view> rest = path; rest;) {
        if (!at.module)
            return {};
        const std::string_view atom = takePart(rest, '.');
        const Module& owner = module(at.module);
        at = Attribute();
        at.module = owner.child(atom);
        if (const NamedTensor* entry = owner.tensor(atom)) {
            at.tensor = entry->tensor;
            at.role = entry->role;
        }
        at.value = owner.value(atom);
    }
    return at;
}

std::string Model::existingPrefix(ModuleId from, std::string_view path) const {
    std::string prefix;
    for (std::string_view atom : split(path, '.')) {
        const std::string longer = prefix.empty() ? std::string(atom) : prefix + '.' + std::string(atom);
        if (!resolve(from, longer))
            return prefix;
        prefix = longer;
    }
    return prefix;
}

void Model::forEachModule(ModuleId from,
                          const std::function<void(ModuleId, const std::string& path)>& visit) const {
    std::unordered_set<ModuleId> seen;
    const std::function<void(ModuleId, const std::string&)> walk = [&](ModuleId id, const std::string& path) {
        if (!seen.insert(id).second)
            return;
        visit(id, path);
        for (const NamedModule& child : module(id).children)
            walk(child.module, path.empty() ? child.name : path + '.' + child.name);
    };
    walk(from, {});
}

namespace {

template <class Entry>
void exchange(std::vector<Entry>& entries, size_t index, const std::optional<Entry>& from,
              const std::optional<Entry>& to) {
    if (from && to)
        entries[index] = *to;
    else if (to)
        entries.insert(entries.begin() + static_cast<std::ptrdiff_t>(index), *to);
    else
        entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(index));
}

std::vector<NamedModule>& listOf(Module& module, const ChildChanged&) {
    return module.children;
}
std::vector<NamedTensor>& listOf(Module& module, const TensorChanged&) {
    return module.tensors;
}
std::vector<NamedValue>& listOf(Module& module, const ValueChanged&) {
    return module.values;
}

} // namespace

void Model::apply(Module& module, const Change& change) {
    if (const auto* step = std::get_if<GraphChange>(&change.step))
        return module.graph->apply(*step);
    std::visit(
        [&](const auto& step) {
            if constexpr (std::is_same_v<std::decay_t<decltype(step)>, TrainingChanged>)
                module.isTraining = step.after;
            else
                exchange(listOf(module, step), step.index, step.before, step.after);
        },
        std::get<ModuleChange>(change.step));
}

void Model::revert(Module& module, const Change& change) {
    if (const auto* step = std::get_if<GraphChange>(&change.step))
        return module.graph->revert(*step);
    std::visit(
        [&](const auto& step) {
            if constexpr (std::is_same_v<std::decay_t<decltype(step)>, TrainingChanged>)
                module.isTraining = step.before;
            else
                exchange(listOf(module, step), step.index, step.after, step.before);
        },
        std::get<ModuleChange>(change.step));
}

void undo(Model& model, const Changes& changes) {
    for (auto change = changes.rbegin(); change != changes.rend(); ++change)
        model.revert(*change);
}

void redo(Model& model, const Changes& changes) {
    for (const Change& change : changes)
        model.apply(change);
}

} // namespace fx
