// SPDX-License-Identifier: GPL-3.0-or-later
// LSTMs and GRUs over small weights, as `quantize --mode dynamic` and `--weights float16` leave them, by
// LibTorch's kernels for those. Their weights have the quantized dtypes, which PyTorch 2.13 calls deprecated:
// there is no other kernel. With integers they round what comes in, and what goes from step to step, by the
// range that it has in each run.
//   before  w = dequantize_per_channel(q, s, z, ...)   v = ...   y = lstm(x', (h, c), [w, v, b, d], ...)
//   after   p = linear_prepack(_make_per_channel_quantized_tensor(q, s, z, 0), b)   r = ...
//           k = make_quantized_cell_params_dynamic(p, r, b, d, True)   y = quantized_lstm(x, [h, c], [k],
//           ...)
#pragma once

#include "core/interpret/graph_inputs.h"
#include "core/module/edit.h"

namespace fx {

struct PassContext;

/// Where the whole graph is faster by it, or always.
void lowerRecurrent(Edit& edit, const GraphInputs& inputs, bool isAlways, PassContext& context);

} // namespace fx
