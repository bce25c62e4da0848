// SPDX-License-Identifier: GPL-3.0-or-later
// How a quantized tensor's numbers stand for reals: torch.per_tensor_affine and its kin. As an argument each
// is a member of torch, which is how Python writes it.
#pragma once

#include "core/ir/argument.h"

#include <c10/core/QScheme.h>

#include <optional>
#include <string_view>

namespace fx {

/// Takes "per_tensor_affine" and "torch.per_tensor_affine"; none for other names.
std::optional<EnumValue> qschemeFromName(std::string_view name);
EnumValue qschemeArgument(c10::QScheme scheme);
bool isQScheme(const Argument& argument);

} // namespace fx
