// SPDX-License-Identifier: GPL-3.0-or-later
// What the inputs of a graph are as parameters of a TorchScript method, which have types: by what was
// recorded of their values, their annotations and their defaults; a tensor where nothing says otherwise.
#pragma once

#include "core/io/script/lowered.h"
#include "core/module/model.h"

#include <optional>

namespace fx {

struct ScriptParameter {
    std::string name;
    c10::TypePtr type;
    std::optional<c10::IValue> otherwise; ///< its default

    /// Adds the input; gives its value.
    Lowered valueIn(torch::jit::Graph& graph) const;
};

/// Stands for the value of a node that nothing computes, in the type that is recorded.
Lowered standIn(torch::jit::Graph& graph, const Node& node);

/// Of the root graph. `given`: the model before its nested inputs became values that nodes take apart
/// (core/io/torch/plain_call.h). Throws an Error that names the input where it can be none.
std::vector<ScriptParameter> scriptParameters(const Model& given, const Model& plain);

} // namespace fx
