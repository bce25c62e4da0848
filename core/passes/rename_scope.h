// SPDX-License-Identifier: GPL-3.0-or-later
// Gives a module of the hierarchy another name: the scope of its nodes, and where the model has it, the
// submodule with all that calls it or reads its tensors.
//   before  layer1.0: conv = call_module[layer1.0.conv]     after  layer1.first:
//   call_module[layer1.first.conv]
#pragma once

#include "core/module/edit.h"

#include <vector>

namespace fx {

struct PassOption;
class PassOptions;
struct PassContext;

/// Throws an Error where there is no such scope, or the name is taken.
void runRenameScope(Edit& edit, const PassOptions& options, PassContext& context);
std::vector<PassOption> renameScopeOptions();

} // namespace fx
