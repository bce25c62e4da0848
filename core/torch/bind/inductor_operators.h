// SPDX-License-Identifier: GPL-3.0-or-later
// What torch.compile's Inductor has something for (core/torch/tables/make_inductor_operators.py).
#pragma once

#include <string>

namespace fx {

/// By the name for all overloads, "aten::add". One that writes is, where the one that does not is: Inductor's
/// graphs are functional.
bool isLoweredByInductor(const std::string& qualifiedName);

} // namespace fx
