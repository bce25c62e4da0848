// SPDX-License-Identifier: GPL-3.0-or-later
// Multiplies by the same right side once: the left sides are put below each other, and the product is cut
// apart again (torch.fx's merge_matmul).
//   before  p = matmul(a, w)   q = matmul(b, w)
//   after   m = matmul(cat([a, b]), w)   p, q = split(m, [rows of a, rows of b])
// Left alone: products that depend on each other, and what is not known to be a matrix.
#pragma once

#include "core/module/edit.h"

namespace fx {

class PassOptions;
struct PassContext;

void runMergeMatmul(Edit& edit, const PassOptions& options, PassContext& context);

} // namespace fx
