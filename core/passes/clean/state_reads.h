// SPDX-License-Identifier: GPL-3.0-or-later
// Which nodes reach which modules and tensors of a model, in all of its graphs: what a pass may change in
// place, and what nothing needs any more once a pass is done.
#pragma once

#include "core/module/edit.h"

#include <map>
#include <unordered_map>
#include <unordered_set>

namespace fx {

/// A name of a module's tensors. Tied weights are several entries with one tensor.
struct TensorEntry {
    ModuleId owner;
    Target name;
    TensorId tensor;
    TensorRole role = TensorRole::Constant;
};
/// None where the path leads to no tensor.
std::optional<TensorEntry> tensorEntry(const Model& model, ModuleId from, const std::string& path);
/// Of what a get_attr node of the module's graph reads; none of another node, or of none.
std::optional<TensorEntry> entryRead(const Model& model, ModuleId module, NodeId node);
/// The same; null where there is none.
const TensorSlot* tensorRead(const Model& model, ModuleId module, NodeId node);

class StateReads {
public:
    explicit StateReads(const Model& model);

    /// get_attr nodes of the entry.
    size_t readsOf(const TensorEntry& entry) const;
    /// call_module nodes of the module.
    size_t callsOf(ModuleId module) const;
    /// Whether a called module has it, or what is above it in the tree: the call may read all of that.
    bool isInCalled(ModuleId module) const { return m_called.contains(module); }
    /// Whether anything reaches it, or what is below it.
    bool isReached(ModuleId module) const { return m_reached.contains(module); }

private:
    void note(const Model& model, ModuleId from, const Node& node);

    std::map<std::pair<ModuleId, const std::string*>, size_t> m_reads;
    std::unordered_map<ModuleId, size_t> m_calls;
    std::unordered_set<ModuleId> m_called, m_reached;
};

/// Deletes those of the tensors and modules at the paths that nothing reaches any more, and the modules that
/// are left empty above them.
void deleteUnreached(Edit& edit, const std::vector<std::string>& paths);

/// A path below the module that is free: the wish, or with a number behind it.
std::string freePath(const Model& model, ModuleId module, const std::string& wish);

} // namespace fx
