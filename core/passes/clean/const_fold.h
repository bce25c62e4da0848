// SPDX-License-Identifier: GPL-3.0-or-later
// Computes what depends on the model's own tensors alone, and keeps the results as buffers (torch.fx's
// const_fold does so before the first call).
//   before  w = get_attr[w]   e = exp(w)   y = mul(x, e)
//   after   e = get_attr[_folded_e]   y = mul(x, e)
// What draws random numbers, writes, fails, or is written into stays; so does what is larger than a limit.
#pragma once

#include "core/module/edit.h"

namespace fx {

class PassOptions;
struct PassContext;

void runConstFold(Edit& edit, const PassOptions& options, PassContext& context);

} // namespace fx
