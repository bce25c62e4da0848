// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/split/held_state.h"

#include "core/base/text.h"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <unordered_set>

namespace fx {

namespace {

/// A module while it is filled; the modules that it makes on the way to others are `below`.
struct Holder {
    Module contents;
    std::unordered_map<std::string, std::unique_ptr<Holder>> below;
    std::unordered_set<std::string> names;

    void add(std::string_view path, const Attribute& found) {
        std::optional<std::string_view> rest = path;
        const std::string name(takePart(rest, '.'));
        if (rest) {
            if (names.insert(name).second) {
                below[name] = std::make_unique<Holder>();
                below[name]->contents.type = kPlainModule;
                contents.children.push_back({name, {}});
            }
            // Else it is a module of the model, which has it already.
            if (const auto holder = below.find(name); holder != below.end())
                holder->second->add(*rest, found);
            return;
        }
        if (!names.insert(name).second)
            return;
        if (found.module)
            contents.children.push_back({name, found.module});
        else if (found.value)
            contents.values.push_back({name, *found.value});
        else
            contents.tensors.push_back({name, found.tensor, found.role});
    }

    ModuleId make(Edit& edit) {
        for (NamedModule& child : contents.children)
            if (const auto made = below.find(child.name); made != below.end())
                child.module = made->second->make(edit);
        const ModuleId id = edit.createModule(contents.type);
        edit.fillModule(id, std::move(contents));
        return id;
    }
};

} // namespace

/// Those of fewer names first, as torch.fx sets them.
std::vector<HeldState::Entry> HeldState::entries(const Edit& edit) const {
    std::vector<Entry> out;
    std::unordered_set<std::string> known;
    for (const auto& [path, source, module] : m_paths)
        if (known.insert(path).second)
            if (const Attribute found =
                    module ? Attribute{.module = module} : edit.model().resolve(edit.module(), source))
                out.push_back({path, found});
    std::ranges::stable_sort(out, {}, [](const Entry& entry) { return std::ranges::count(entry.path, '.'); });
    return out;
}

ModuleId HeldState::makeModule(Edit& edit, bool isTraining) {
    Holder holder;
    holder.contents.type = "GraphModule";
    holder.contents.isTraining = isTraining;
    holder.contents.graph = Graph();
    for (const Entry& entry : entries(edit))
        holder.add(entry.path, entry.found);
    return holder.make(edit);
}

void HeldState::replaceIn(Edit& edit) {
    std::vector<Entry> kept = entries(edit);
    std::vector<Argument> values; // as those of the model go
    values.reserve(kept.size());
    for (Entry& entry : kept)
        if (entry.found.value)
            entry.found.value = &values.emplace_back(*entry.found.value);
    const Module& module = edit.model().module(edit.module());
    while (!module.children.empty())
        edit.deleteSubmodule(std::string(module.children.back().name));
    while (!module.tensors.empty())
        edit.deleteTensor(std::string(module.tensors.back().name));
    for (const Entry& entry : kept)
        if (entry.found.module)
            edit.addSubmodule(entry.path, entry.found.module);
        else if (entry.found.value)
            edit.setValue(entry.path, *entry.found.value);
        else
            edit.setTensor(entry.path, entry.found.tensor, entry.found.role);
}

} // namespace fx
