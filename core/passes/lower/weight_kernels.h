// SPDX-License-Identifier: GPL-3.0-or-later
// Linear layers by LibTorch's kernels that read small weights as they are, where those are faster than oneDNN
// over weights that a run restores once (onednn_call.h).
//   before  w = dequantize_per_channel(q, s, z)   y = linear(x, w, b)
//   after   m = _weight_int8pack_mm(x, q, s)   y = add(m, b)
#pragma once

#include "core/interpret/graph_inputs.h"
#include "core/module/edit.h"

namespace fx {

struct PassContext;

/// `isAlways`: without measuring. Tells what it did.
void lowerSmallWeights(Edit& edit, const GraphInputs& inputs, bool isAlways, PassContext& context);

} // namespace fx
