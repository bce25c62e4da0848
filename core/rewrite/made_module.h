// SPDX-License-Identifier: GPL-3.0-or-later
// A module of torch.nn, made by the call of its constructor that a user writes.
#pragma once

#include "core/module/edit.h"

#include <string>

namespace fx {

/// The module that "nn.Linear(8, 4, bias=False)" makes, of the class "torch.nn.Linear"; nothing names it yet.
/// Throws an Error where the constructor does.
ModuleId makeModule(Edit& edit, const std::string& constructor, const std::string& type, bool isTraining);
/// "torch.nn.Linear" of "nn.Linear(8, 4)"; empty for what is no call of a class of torch.nn.
std::string constructedClass(const std::string& constructor);

} // namespace fx
