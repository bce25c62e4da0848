// SPDX-License-Identifier: GPL-3.0-or-later
// core/module/lint.h as a pass: changes nothing, and fails at the first fault.
#pragma once

#include "core/module/edit.h"

namespace fx {

class PassOptions;
struct PassContext;

void runLint(Edit& edit, const PassOptions&, PassContext&);

} // namespace fx
