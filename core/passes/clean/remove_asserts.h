// SPDX-License-Identifier: GPL-3.0-or-later
// Removes calls that only check, also in nested graphs: assertions about values, metadata and ranges of
// sizes, as torch.export records them, with what was computed for them alone.
//   before  ge = x >= 0   _assert_scalar = _assert_scalar(ge, "x is negative")   y = relu(x)
//   after   y = relu(x)
#pragma once

#include "core/module/edit.h"

namespace fx {

class PassOptions;
struct PassContext;

void runRemoveAsserts(Edit& edit, const PassOptions& options, PassContext& context);

} // namespace fx
