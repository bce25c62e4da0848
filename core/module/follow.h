// SPDX-License-Identifier: GPL-3.0-or-later
// Replicas of a model: what one has to be told after each edit of the other, and how it follows. In a replica
// modules, tensors, nodes, names and the order of users are those of the original, so that each may tell the
// other of an edit. core/io/change_json.h writes all of it down.
#pragma once

#include "core/module/edit.h"

#include <vector>

namespace fx {

/// How many modules and tensors a replica has been told of. They are made outside of the Changes, which name
/// them.
struct ModelExtent {
    size_t modules = 0, tensors = 0;

    ModelExtent() = default;
    explicit ModelExtent(const Model& model) : modules(model.moduleCount()), tensors(model.tensorCount()) {}
};

/// One edit, its undoing or its redoing.
struct ModelUpdate {
    std::vector<Module> modules;     ///< made since the last update, as they were before the changes
    std::vector<TensorSlot> tensors; ///< made since the last update
    Changes changes;
    bool isBackwards = false; ///< the changes are undone
};

/// What the replica gets after `changes` were done in `after` (or undone), and nothing else since. `known`:
/// what it had.
ModelUpdate updateOf(const Model& after, const Changes& changes, bool isBackwards, const ModelExtent& known);

/// Believes nothing: throws an Error, with the model as it was, where the update is not about this model as
/// it stands. Afterwards undo() and redo() of its changes are safe.
void follow(Model& model, const ModelUpdate& update);

/// A model of all the modules and tensors of another, by their ids. Throws an Error where they do not fit
/// each other.
Model modelOf(std::vector<Module> modules, std::vector<TensorSlot> tensors);

} // namespace fx
