// SPDX-License-Identifier: GPL-3.0-or-later
// What PyTorch's operators are for a program beside what they do: names, schemas, overloads.
#pragma once

#include "core/python/evaluator.h"

#include <optional>
#include <string>

namespace fx {

/// "aten::add" of the packet of overloads torch.ops.aten.add; empty for anything else.
std::string packetOf(const Value& value);
/// str() or repr() of an overload, "torch.ops.aten.add.Tensor".
std::string operatorText(Target target, bool isRepr);
/// None for a name that is none of PyTorch's attributes of an overload.
std::optional<Value> attributeOfOverload(Evaluator& evaluator, const Value& overload, Target target,
                                         const std::string& name);
/// Likewise of a packet, "aten::add".
std::optional<Value> attributeOfPacket(const std::string& packet, const std::string& name);

} // namespace fx
