// SPDX-License-Identifier: GPL-3.0-or-later
// All that a model says of itself as one text, ids and the order of users too: what undo has to bring back.
#pragma once

#include "core/module/model.h"

#include <string>

namespace fx {

std::string modelState(const Model& model);

/// x -> relu -> add(relu, w) -> output, with a module sub.lin, a parameter w and a buffer b.
struct SmallModel {
    Model model{"GraphModule"};
    NodeId x, w, relu, add, output;
    SmallModel();
};

} // namespace fx
