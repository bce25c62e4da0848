// SPDX-License-Identifier: GPL-3.0-or-later
// The tensors of the model that belong to a node or to a module: what can be looked at without a run.
#pragma once

#include "core/module/model.h"

#include <string>
#include <vector>

namespace fx {

struct ReadTensor {
    std::string name; ///< short: "weight", "norm.bias"
    std::string path; ///< from the root, where it is reached there; else from the graph's module
    TensorId tensor;
    bool operator==(const ReadTensor&) const = default;
};

/// Those of the module and of all below it, in their order; each tensor once.
std::vector<ReadTensor> tensorsOf(const Model& model, ModuleId module, const std::string& path);
/// Those that the node reads: its own of a get_attr node, those of the module that it calls, and those that
/// get_attr nodes hand it.
std::vector<ReadTensor> tensorsReadBy(const Model& model, ModuleId graph, NodeId node);

} // namespace fx
