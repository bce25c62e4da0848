// SPDX-License-Identifier: GPL-3.0-or-later
// Activations that oneDNN computes together with what comes before them, whether a graph calls modules,
// functions, methods or operators of aten.
#pragma once

#include "core/module/model.h"

#include <optional>
#include <string>

namespace fx {

struct Activation {
    NodeId input;
    std::string word;      ///< oneDNN's: "relu", "swish"
    Arguments scalars;     ///< its numbers, in oneDNN's order
    std::string algorithm; ///< of gelu: "none" or "tanh"
};

std::optional<Activation> activationAt(const Model& model, ModuleId module, const Node& node);

} // namespace fx
