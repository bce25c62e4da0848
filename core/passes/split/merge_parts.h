// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the graphs of submodules in the place of their calls: what undoes a split.
#pragma once

#include "core/module/edit.h"

namespace fx {

class PassOptions;
struct PassContext;

void runMergeParts(Edit& edit, const PassOptions& options, PassContext& context);

} // namespace fx
