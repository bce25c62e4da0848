// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of torch.ops: Python's arguments onto the schema of an operator, as PyTorch's TorchScript binding
// puts them. The functions that Python knows by other names are bound by core/torch/bind/argument_parser.h.
#pragma once

#include "core/python/value.h"
#include "core/torch/bind/operators.h"

#include <optional>
#include <vector>

namespace fx {

/// torch.ops.aten.add.Tensor(...). Throws PyTorch's words where the arguments do not fit.
Value callOverload(const TorchOperator& op, const Values& args, const NamedValues& kwargs);
/// torch.ops.aten.add(...): the first overload that fits.
Value callPacket(const std::vector<const TorchOperator*>& overloads, const Values& args,
                 const NamedValues& kwargs);

/// The argument at that place, as the operator takes it; none where the value cannot be it.
std::optional<c10::IValue> argumentOf(const c10::FunctionSchema& schema, size_t at, const Value& value);

} // namespace fx
