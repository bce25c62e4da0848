// SPDX-License-Identifier: GPL-3.0-or-later
// What PyTorch's operators are for a program beside what they do: classes, names, schemas, overloads, tags.
#pragma once

#include "core/python/evaluator.h"

#include <optional>
#include <string>
#include <string_view>

namespace fx {

class OperatorResults;

/// The builtin class of an operator of torch.ops: "OpOverload", "OpOverloadPacket", "HigherOrderOperator";
/// empty for any other function.
std::string_view operatorClass(Target target);
/// Adds these classes, and what torch.Tag and torch._C.DispatchKey are made from.
void addOperatorClasses(Evaluator& evaluator);
/// Whether PyTorch has torch.ops.higher_order.NAME.
bool isHigherOrderName(std::string_view name);

/// str() or repr() of an operator.
std::string operatorText(Evaluator& evaluator, const Value& operation, Target target, bool isRepr);
/// Throws an AttributeError for a name that is none of PyTorch's attributes of an operator.
Value attributeOfOperator(Evaluator& evaluator, OperatorResults& results, const Value& operation,
                          Target target, const std::string& name);

} // namespace fx
