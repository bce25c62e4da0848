// SPDX-License-Identifier: GPL-3.0-or-later
// A module of torch.nn made anew by its constructor, with the weights that it had, and one tensor of the
// model by an expression.
//   before  fc: Linear(256, 10)     call  nn.Linear(256, 20)
//   after   fc: Linear(256, 20), whose first 10 rows are the old ones
#pragma once

#include "core/module/edit.h"

#include <vector>

namespace fx {

struct PassOption;
class PassOptions;
struct PassContext;

/// Throws an Error where the graph cannot take the shapes that follow.
void runChangeModule(Edit& edit, const PassOptions& options, PassContext& context);
std::vector<PassOption> changeModuleOptions();

/// Modules that share the tensor go on doing so.
void runSetTensor(Edit& edit, const PassOptions& options, PassContext& context);
std::vector<PassOption> setTensorOptions();

} // namespace fx
