// SPDX-License-Identifier: GPL-3.0-or-later
// What the text of torch.utils._python_dispatch calls: modes of a program that do the work of operators.
#pragma once

#include "core/python/types/native_modules.h"

namespace fx {

void addDispatchFunctions(NativeModule& module);

} // namespace fx
