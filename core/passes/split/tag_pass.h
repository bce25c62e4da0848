// SPDX-License-Identifier: GPL-3.0-or-later
// Gives nodes tags by their names and places: what a split by tags goes by.
#pragma once

#include "core/module/edit.h"

namespace fx {

class PassOptions;
struct PassContext;

void runTag(Edit& edit, const PassOptions& options, PassContext& context);

} // namespace fx
