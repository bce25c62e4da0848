// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes that are shown and stepped over as one, without a module: a scope of their own within the innermost
// that all of them are in; and such a scope taken apart.
//   before  layer1.0: conv1, bn1, relu      after  layer1.0: stem: conv1, bn1
//                                                             relu
#pragma once

#include "core/module/edit.h"

#include <vector>

namespace fx {

struct PassOption;
class PassOptions;
struct PassContext;

/// A scope of that name which is there takes the nodes in. Throws an Error where the name is none.
void runGroup(Edit& edit, const PassOptions& options, PassContext& context);
std::vector<PassOption> groupOptions();

/// Throws an Error where the scope was not made by runGroup.
void runUngroup(Edit& edit, const PassOptions& options, PassContext& context);
std::vector<PassOption> ungroupOptions();

} // namespace fx
