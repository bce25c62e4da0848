// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/clean/state_reads.h"

#include "core/base/text.h"

namespace fx {

std::optional<TensorEntry> tensorEntry(const Model& model, ModuleId from, const std::string& path) {
    const std::string_view parent = parentPath(path);
    const std::string_view name = std::string_view(path).substr(parent.empty() ? 0 : parent.size() + 1);
    const ModuleId owner = model.resolve(from, parent).module;
    const NamedTensor* entry = owner ? model.module(owner).tensor(name) : nullptr;
    if (!entry || !entry->tensor)
        return std::nullopt;
    return TensorEntry{owner, Target(name), entry->tensor, entry->role};
}

std::optional<TensorEntry> entryRead(const Model& model, ModuleId module, NodeId id) {
    const Node* node = id ? &model.graph(module).node(id) : nullptr;
    return node && node->opcode == Opcode::GetAttr ? tensorEntry(model, module, node->target.name())
                                                   : std::nullopt;
}

const TensorSlot* tensorRead(const Model& model, ModuleId module, NodeId id) {
    const auto entry = entryRead(model, module, id);
    return entry ? &model.tensor(entry->tensor) : nullptr;
}

StateReads::StateReads(const Model& model) {
    m_reached.insert(model.root());
    model.forEachModule(model.root(), [&](ModuleId id, const std::string&) {
        if (model.module(id).graph)
            for (const Node& node : model.graph(id))
                if (node.opcode == Opcode::CallModule || node.opcode == Opcode::GetAttr)
                    note(model, id, node);
    });
    for (const ModuleId called : std::vector<ModuleId>(m_called.begin(), m_called.end()))
        model.forEachModule(called, [&](ModuleId below, const std::string&) { m_called.insert(below); });
    m_reached.insert(m_called.begin(), m_called.end());
}

void StateReads::note(const Model& model, ModuleId from, const Node& node) {
    ModuleId at = from;
    for (std::optional<std::string_view> rest = node.target.name(); rest && at;) {
        const std::string_view atom = takePart(rest, '.');
        if (!rest)
            if (const NamedTensor* entry = model.module(at).tensor(atom))
                ++m_reads[{at, &Target(entry->name).name()}];
        at = model.module(at).child(atom);
        if (at)
            m_reached.insert(at);
    }
    if (node.opcode == Opcode::CallModule && at) {
        ++m_calls[at];
        m_called.insert(at);
    }
}

size_t StateReads::readsOf(const TensorEntry& entry) const {
    const auto found = m_reads.find({entry.owner, &entry.name.name()});
    return found == m_reads.end() ? 0 : found->second;
}

size_t StateReads::callsOf(ModuleId module) const {
    const auto found = m_calls.find(module);
    return found == m_calls.end() ? 0 : found->second;
}

void deleteUnreached(Edit& edit, const std::vector<std::string>& paths) {
    if (paths.empty())
        return;
    const StateReads reads(edit.model());
    const auto isEmpty = [&](ModuleId id) {
        const Module& module = edit.model().module(id);
        return module.children.empty() && module.tensors.empty() && !module.graph;
    };
    for (const std::string& path : paths) {
        const ModuleId module = edit.model().resolve(edit.module(), path).module;
        if (module && reads.isReached(module))
            continue;
        if (module) {
            edit.deleteSubmodule(path);
        } else if (const auto entry = tensorEntry(edit.model(), edit.module(), path)) {
            if (reads.readsOf(*entry) || reads.isInCalled(entry->owner))
                continue;
            edit.deleteTensor(path);
        } else {
            continue; // it went with what was above it
        }
        for (std::string_view above = parentPath(path); !above.empty(); above = parentPath(above)) {
            const ModuleId id = edit.model().resolve(edit.module(), above).module;
            if (!id || !isEmpty(id) || reads.isInCalled(id))
                break;
            edit.deleteSubmodule(above);
        }
    }
}

std::string freePath(const Model& model, ModuleId module, const std::string& wish) {
    std::string path = wish;
    for (size_t number = 1; model.resolve(module, path); ++number)
        path = wish + '_' + std::to_string(number);
    return path;
}

} // namespace fx
