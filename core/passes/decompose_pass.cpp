// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/decompose_pass.h"

#include "core/passes/pass_options.h"
#include "core/rewrite/decompose.h"

namespace fx {

void runDecompose(Edit& edit, const PassOptions& options, PassContext&) {
    decompose(edit, options.text("rules"));
}

} // namespace fx
