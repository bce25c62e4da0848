// SPDX-License-Identifier: GPL-3.0-or-later
// core/rewrite/decompose.h as a pass, with the rules' file as its option.
#pragma once

#include "core/module/edit.h"

namespace fx {

class PassOptions;
struct PassContext;

void runDecompose(Edit& edit, const PassOptions& options, PassContext&);

} // namespace fx
