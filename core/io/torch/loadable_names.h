// SPDX-License-Identifier: GPL-3.0-or-later
// What torch.load makes of names: it runs the code of a GraphModule, traces it, and writes code anew by the
// rules of torch/fx/graph.py. Names that have a meaning of their own there would lead elsewhere.
#pragma once

#include "core/module/model.h"

#include <string>
#include <vector>

namespace fx {

/// Throws an Error that names the module or node for a name that the loaded module would not have, or that
/// the code anew could not say: a keyword in a path, a child called `graph` or `training`, an enum's member
/// in a dict.
void requireLoadableNames(const Model& model, ModuleId graphModule);
/// Gives inputs other names where the code means something else by theirs: `nan` where it has the number, and
/// `self`. Gives what a reader of the file should know.
///   before  def forward(self, x, nan): nan_1 = nan; where = torch.where(nan_1, nan, x)
///   after   def forward(self, x, nan_1): where = torch.where(nan_1, nan, x)
std::vector<std::string> renameShadowingInputs(Model& model);

} // namespace fx
