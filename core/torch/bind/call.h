// SPDX-License-Identifier: GPL-3.0-or-later
// Calls by name: what a call_function or call_method node does, and what a typed expression calls.
#pragma once

#include "core/python/value.h"
#include "core/torch/bind/operator_effects.h"

namespace fx {

struct SignatureGroup;

/// Calls "torch.ops.aten.add.Tensor", "torch.relu", "operator.add", "math.sqrt", "len". Throws an Error
/// without a place: for an unknown name, for arguments that fit no overload, and with LibTorch's words where
/// it fails.
Value callFunction(Target target, const Values& args, const NamedValues& kwargs);
/// Calls self.name(...).
Value callMethod(const Value& self, const std::string& name, const Values& args, const NamedValues& kwargs);
/// The overloads of the function in C that callFunction takes the name for; null if it is none.
const SignatureGroup* signaturesOfFunction(const std::string& name);
/// Whether callFunction knows the name at all.
bool isKnownFunction(Target target);

/// What the most harmful of the operators does that callFunction takes the name for; Pure where it calls
/// none.
OperatorEffect effectOfFunction(Target target);

/// Runs `work`, turning the exceptions of LibTorch into an Error with their message alone.
void guarded(const std::function<void()>& work);

} // namespace fx
