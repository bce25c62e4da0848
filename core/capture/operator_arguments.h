// SPDX-License-Identifier: GPL-3.0-or-later
// The arguments of an operator, as LibTorch's dispatcher has them on its stack, as those of a node: what
// Python would have written to call torch.ops with them.
#pragma once

#include "core/ir/argument.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/function_schema.h>
#include <c10/core/SymNodeImpl.h>

namespace fx {

/// Which node stands for a tensor.
using NodeOfTensor = std::function<NodeId(const at::Tensor&)>;
/// What stands for a number that depends on symbols; where it is null such a number becomes the one that it
/// was.
using ArgumentOfNumber = std::function<Argument(const c10::SymNode&)>;

struct OperatorArguments {
    Arguments args;
    Keywords kwargs;
};
/// Without the last arguments by position, and those by keyword, that have their defaults. `given` are all of
/// the schema's. Throws an Error for what no node can hold, such as a stream.
OperatorArguments operatorArguments(const c10::FunctionSchema& schema, at::ArrayRef<c10::IValue> given,
                                    const NodeOfTensor& nodeOf, const ArgumentOfNumber& ofNumber = nullptr);

/// The value with all its tensors changed that are defined.
c10::IValue withTensors(const c10::IValue& value, const std::function<at::Tensor(const at::Tensor&)>& change);
/// Of a number that depends on symbols; null for any other value.
c10::SymNode symbolicNode(const c10::IValue& value);

/// Calls `visit` for each tensor in it that is defined.
void forEachTensor(const c10::IValue& value, const std::function<void(const at::Tensor&)>& visit);

} // namespace fx
