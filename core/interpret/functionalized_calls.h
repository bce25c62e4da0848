// SPDX-License-Identifier: GPL-3.0-or-later
// Operators that write into their arguments, called on copies: torch.ops.higher_order.auto_functionalized and
// auto_functionalized_v2 (torch/_higher_order_ops/auto_functionalize.py).
#pragma once

#include "core/interpret/higher_order.h"

namespace fx {

/// auto_functionalized(op, **kwargs): returns the results of op, then the copy of each argument that op
/// writes into, which is what they have become.
Value autoFunctionalized(const CallGraph& callGraph, const Values& args, const NamedValues& kwargs);

/// auto_functionalized_v2(op, _all_bases=[...], **kwargs): the arguments that op writes into are views of
/// the bases, which are copied. Returns the results of op, then the copies.
Value autoFunctionalizedV2(const CallGraph& callGraph, const Values& args, const NamedValues& kwargs);

} // namespace fx
