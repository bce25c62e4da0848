// SPDX-License-Identifier: GPL-3.0-or-later
// Has the model, or submodules of it that have graphs, compiled by AOTInductor, and marks those as compiled
// (core/interpret/compiled_parts.h) that give the same and are faster. The graph stays as it is.
#pragma once

#include "core/module/edit.h"

namespace fx {

class PassOptions;
struct PassContext;

/// Takes `to`, `part`, `freeze`, `optimize` and `always` of the options of the pass lower.
void runCompileParts(Edit& edit, const PassOptions& options, PassContext& context);

} // namespace fx
