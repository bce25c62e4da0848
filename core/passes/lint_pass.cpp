// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/lint_pass.h"

#include "core/module/lint.h"

namespace fx {

void runLint(Edit& edit, const PassOptions&, PassContext&) {
    requireSound(edit.model(), edit.module());
}

} // namespace fx
