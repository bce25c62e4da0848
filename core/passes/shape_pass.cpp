// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/shape_pass.h"

#include "core/interpret/shape_prop.h"
#include "core/passes/pass.h"
#include "core/passes/run_progress.h"

namespace fx {

void runShapeProp(Edit& edit, const PassOptions&, PassContext& context) {
    RunProgress watcher(context.progress, edit.graph().size());
    propagateShapes(edit, context.inputs ? context.inputs(edit.model()) : GraphInputs(), context.settings,
                    &watcher);
}

} // namespace fx
