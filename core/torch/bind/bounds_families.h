// SPDX-License-Identifier: GPL-3.0-or-later
// Rules for bounds that only one family of operators has, each named after it in operator_bounds.txt.
#pragma once

#include "core/torch/bind/bounds_rules.h"

namespace fx {

bool isBoundsFamily(std::string_view name);
/// None where the overload lacks an argument that the family has.
std::optional<BoundsCheck> boundsOfFamily(std::string_view name, const c10::FunctionSchema& schema);

} // namespace fx
