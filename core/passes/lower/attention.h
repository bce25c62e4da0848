// SPDX-License-Identifier: GPL-3.0-or-later
// Attention that a graph computes in parts, by the one call that PyTorch has for it: it never holds the whole
// matrix of shares. Both dialects; only where it measures faster.
//   before  s = matmul(q, transpose(k)) / 8   m = s + mask   p = softmax(m, -1)   y = matmul(p, v)
//   after   y = scaled_dot_product_attention(q, k, v, attn_mask=mask)
#pragma once

#include "core/module/edit.h"

namespace fx {

class PassOptions;
struct PassContext;

void runFuseAttention(Edit& edit, const PassOptions& options, PassContext& context);

} // namespace fx
