// SPDX-License-Identifier: GPL-3.0-or-later
// Which calls must stay although nobody reads their result (torch.fx's Node.is_impure).
// Not impure for torch.fx, so neither here: in-place methods, torch.relu_, out=, operator.iadd, F.dropout.
#pragma once

#include "core/module/model.h"
#include "core/torch/bind/operators.h"

namespace fx {

bool isImpure(const Model& model, ModuleId module, const Node& node, bool countsDraws = true);

/// Whether PyTorch says of the operator that it draws random numbers.
bool drawsRandomNumbers(const TorchOperator& op);

/// Whether the operator writes into one of its arguments; false for what LibTorch does not know.
bool mutatesArguments(Target target);

} // namespace fx
