// SPDX-License-Identifier: GPL-3.0-or-later
// What the text of torch.fx.experimental.proxy_tensor calls to record operators.
#pragma once

#include "core/python/types/native_modules.h"

namespace fx {

void addCaptureFunctions(NativeModule& module);

} // namespace fx
