// SPDX-License-Identifier: GPL-3.0-or-later
// Puts a model into evaluation mode: the modules' own flag, and in the graph what was recorded in training
// mode, where calls have a `training` of their own.
//   before  a = dropout(x, 0.5, True)    after  a = dropout(x, 0.5, False)
// Batch normalisations go by their running statistics, and no longer write them or count batches.
#pragma once

#include "core/module/edit.h"

namespace fx {

class PassOptions;
struct PassContext;

void runEvalMode(Edit& edit, const PassOptions& options, PassContext& context);

} // namespace fx
