// SPDX-License-Identifier: GPL-3.0-or-later
// The pass edit-code: lines of the generated code become other ones. It is what edits by hand are in a
// recipe.
#pragma once

#include "core/passes/pass.h"

namespace fx {

void runEditCode(Edit& edit, const PassOptions& options, PassContext& context);

} // namespace fx
