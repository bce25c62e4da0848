// SPDX-License-Identifier: GPL-3.0-or-later
// From what a program has made of a copy of a model to an edit of the model itself. What the program left as
// it was keeps its id, and no change is made of it.
#pragma once

#include "core/module/edit.h"

#include <functional>
#include <unordered_map>
#include <vector>

namespace fx {

/// A copy of (parts of) a model at two moments, and what of it stands for what of the model.
struct CopiedModel {
    const Model& before;
    const Model& after;
    struct Counterpart {
        ModuleId before, own; ///< in the copy as it was; in the model
    };
    std::unordered_map<ModuleId, Counterpart> modules; ///< by the module in `after`
    /// Of a graph, by the module that has it in `after`: the model's nodes by those of `after`.
    std::unordered_map<ModuleId, NodeMap> nodes;
    /// Whether a tensor of `before` and one of `after` are the same, and hold what they held.
    std::function<bool(TensorId before, TensorId after)> isSameTensor;
};

/// The node has these metadata, and no others.
void replaceMeta(Edit& edit, NodeId node, const Meta& meta);
/// The root of the edit's model becomes what the root of `after` is.
void become(Edit& edit, const CopiedModel& copied);

} // namespace fx
