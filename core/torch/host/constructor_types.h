// SPDX-License-Identifier: GPL-3.0-or-later
// What constructors of torch.nn say that they take, where they are written in Python.
#pragma once

#include <string>
#include <string_view>

namespace fx {

/// What a parameter is annotated with, for people: "int or ints". Empty where that is not known. `type`: the
/// class by its module, "torch.nn.modules.linear.Linear".
std::string_view constructorType(const std::string& type, const std::string& parameter);

} // namespace fx
