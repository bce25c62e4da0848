// SPDX-License-Identifier: GPL-3.0-or-later
// What torch.fx.operator_schemas asks: the schemas of operators, and the parameters of torch's Python
// functions.
#pragma once

#include "core/python/types/native_modules.h"

namespace fx {

void addSchemaFunctions(NativeModule& module);

} // namespace fx
