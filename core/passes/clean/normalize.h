// SPDX-License-Identifier: GPL-3.0-or-later
// One way to write each call (torch.fx's NormalizeArgs and NormalizeOperators): arguments by keyword with
// defaults filled in, operators of Python instead of the functions that do the same, functions instead of
// methods.
//   before  a = torch.flatten(x, 1)                         b = torch.add(a, 1)
//   after   a = torch.flatten(input=x, start_dim=1, ...)    b = operator.add(a, 1)
#pragma once

#include "core/module/edit.h"

namespace fx {

class PassOptions;
struct PassContext;

void runNormalize(Edit& edit, const PassOptions& options, PassContext& context);

} // namespace fx
