// SPDX-License-Identifier: GPL-3.0-or-later
// What passes of both dialects look at calls by.
#pragma once

#include "core/module/model.h"

#include <string_view>

namespace fx {

/// "conv2d" of torch.conv2d and torch.ops.aten.conv2d.default, "dropout" of torch.nn.functional.dropout;
/// empty for what is no call of a function, and no function of PyTorch's own.
std::string_view functionOfTorch(const Node& node);

/// What a call_module calls; null where the path leads to no module.
const Module* calledModule(const Model& model, ModuleId owner, const Node& node);
/// Whether something of the user's runs before or after the module itself.
bool hasHooks(const Module& module);
/// The first argument of a call of a module, by position or as `input`; null where there is none.
const Argument* inputOfModule(const Node& node);

/// What any call is given first: of a module, a method or a function.
const Argument* firstInput(const Node& node);

/// The node of an argument; none where it is null or something else.
NodeId nodeOf(const Argument* argument);

} // namespace fx
