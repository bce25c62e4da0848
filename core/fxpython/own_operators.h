// SPDX-License-Identifier: GPL-3.0-or-later
// What the text of torch.library calls: operators of a program's own, which LibTorch's dispatcher knows as
// long as the program has what defined them.
#pragma once

#include "core/python/types/native_modules.h"

namespace fx {

void addOwnOperators(NativeModule& module);

} // namespace fx
