// SPDX-License-Identifier: GPL-3.0-or-later
// Records the shape of every value: core/interpret/shape_prop.h as a pass that can be cancelled.
#pragma once

#include "core/module/edit.h"

namespace fx {

class PassOptions;
struct PassContext;

void runShapeProp(Edit& edit, const PassOptions&, PassContext& context);

} // namespace fx
