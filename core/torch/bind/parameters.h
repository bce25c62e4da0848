// SPDX-License-Identifier: GPL-3.0-or-later
// The parameters of what a call calls, by name: of an operator its schema's, of a function of torch those of
// its Python text, or of its first overload in C that is no deprecated one.
#pragma once

#include "core/ir/graph.h"

#include <string_view>
#include <vector>

namespace fx {

/// Those that may be given by position, in their order; none for what is not known here.
const std::vector<std::string_view>& positionalParameters(Target function);

/// What a call_function gives for a parameter, by position or by name; null where it gives nothing.
const Argument* givenArgument(const Node& call, std::string_view parameter);

} // namespace fx
