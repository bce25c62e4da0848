// SPDX-License-Identifier: GPL-3.0-or-later
// From an overload that a call was bound to, to the operator of ATen: which parameter becomes which argument
// of it, its variant with out=, and what Python gets of the result.
#pragma once

#include "core/torch/bind/argument_parser.h"

namespace fx {

/// Calls the operator of the bound overload. `self`: of a method, else null.
Value callSignature(const ParsedCall& call, const Value* self);

/// What an operator has left on the stack as PyTorch's bindings give it: None, the value, a tuple; where the
/// results have names, torch.return_types.NAME. Lists are tuples.
Value wrapResults(const CallPlan& plan, std::vector<c10::IValue>& stack);

} // namespace fx
