// SPDX-License-Identifier: GPL-3.0-or-later
// The operators of LibTorch by name: their schemas and how to call them. Registered custom ones are found
// too, and those that were only declared.
#pragma once

#include "core/ir/target.h"
#include "core/torch/bind/operator_effects.h"

#include <ATen/core/function_schema.h>
#include <ATen/core/stack.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace fx {

/// One overload. Takes its arguments from the stack and leaves its results there.
struct TorchOperator {
    /// Throws where the operator may not be called now (operator_effects.h).
    std::function<void(torch::jit::Stack&)> call;
    const c10::FunctionSchema* schema = nullptr;
    OperatorEffect effect = OperatorEffect::Unknown;
};

/// The operator of a target such as "torch.ops.aten.add.Tensor"; null if LibTorch does not know it.
/// The same pointer each time, valid as long as the process.
const TorchOperator* findOperator(Target target);
/// torch.ops.aten.add.Tensor of aten::add.Tensor.
Target operatorTarget(const c10::OperatorName& name);
/// "aten::add" of "torch.ops.aten.add", which tries all overloads; empty for any other name.
std::string packetOf(const std::string& name);
/// All overloads of "aten::add", in the order in which torch.ops tries them.
std::vector<const TorchOperator*> findOverloads(const std::string& qualifiedName);

/// Lets an operator be found by its schema, "mine::scaled(Tensor x) -> Tensor", in a process that does not
/// have it: graphs that call it can be read and shown, but a call throws. Throws what LibTorch throws for a
/// schema that it cannot read.
void declareOperator(const std::string& schema);

} // namespace fx
