// SPDX-License-Identifier: GPL-3.0-or-later
// Embeddings whose tables are int8 (quantize --mode weight-only): the rows that are read are restored, and
// not the whole table in each run. The same to the bit.
//   before  w = dequantize_per_channel(q, s, z)   y = embedding(i, w)
//   after   r = embedding(q, i)   t = embedding(unsqueeze(s, 1), i)   y = mul(r, t)
#pragma once

#include "core/interpret/graph_inputs.h"
#include "core/module/edit.h"

namespace fx {

struct PassContext;

/// `isAlways`: without measuring. Tells what it did.
void lowerSmallTables(Edit& edit, const GraphInputs& inputs, bool isAlways, PassContext& context);

} // namespace fx
