// SPDX-License-Identifier: GPL-3.0-or-later
// The functions and methods in C that PyTorch binds by hand, because they are no single operator:
// torch.tensor, Tensor.to. Their overloads are in the table of signatures; here is what they do.
#pragma once

#include "core/torch/bind/argument_parser.h"

#include <string_view>
#include <unordered_map>

namespace fx {

/// `self`: of a method, else null.
using HandBound = Value (*)(const ParsedCall& call, const Value* self);
using HandBoundTable = std::unordered_map<std::string_view, HandBound>;

/// The rows: each function fills in those of its file.
void addHandBoundFunctions(HandBoundTable& functions);
void addTensorConstructors(HandBoundTable& functions, HandBoundTable& methods);
void addHandBoundMethods(HandBoundTable& methods);
void addConversions(HandBoundTable& methods);

/// The tensor whose method is called.
const at::Tensor& tensorOf(const Value* self);

/// Null for what is not written here.
HandBound findHandBound(bool isMethod, std::string_view name);

} // namespace fx
