// SPDX-License-Identifier: GPL-3.0-or-later
// What a user can do where a TorchScript program branches on what is not known.
#pragma once

#include "core/trace/script/script_state.h"

namespace fx {

/// "--concrete-args 'x=torch.zeros(...)' fixes the sizes of x", one line for each input that decides what the
/// value is, or what of it only running can tell. Empty where no input does.
std::string whatDecides(const ScriptState& state, const Value& value);

/// Whether data of tensors decides what the value is, which no example of the inputs can tell.
bool isDecidedByData(const ScriptState& state, const Value& value);

} // namespace fx
