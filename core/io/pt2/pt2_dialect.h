// SPDX-License-Identifier: GPL-3.0-or-later
// What torch.export's programs may hold: operators of torch.ops, higher-order operators, functions on
// symbolic numbers, and names that Python reads as they stand.
#pragma once

#include "core/module/model.h"

#include <string>

namespace fx {

/// Functions on symbolic numbers: their result is one number, and their arguments have no names.
bool isSymbolicFunction(Target target);
/// Throws an Error that names the first node that is in no such program, and says what to do.
void requireExported(const Model& model);
/// The dialect to name in a file: `wanted`, unless an operator writes to its arguments.
std::string dialectOf(const Model& model, const std::string& wanted);

} // namespace fx
