// SPDX-License-Identifier: GPL-3.0-or-later
// Names of torch that stand for a value: torch.float32, torch.strided, torch.channels_last, and how a
// quantized tensor's numbers stand for reals, torch.per_tensor_affine and its kin. One of those is, as an
// argument, a member of torch, which is how Python writes it.
#pragma once

#include "core/ir/argument.h"

#include <c10/core/QScheme.h>

#include <optional>
#include <string_view>

namespace fx {

/// A dtype, layout, memory format or qscheme, with or without "torch."; none for other names.
std::optional<Argument> torchConstant(std::string_view name);
EnumValue qschemeArgument(c10::QScheme scheme);
bool isQScheme(const Argument& argument);

} // namespace fx
