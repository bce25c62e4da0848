// SPDX-License-Identifier: GPL-3.0-or-later
// Computes in another dtype what is float32: weights, and the values between the inputs and the results,
// which stay as they are. Calls that lose too much by it stay in float32, with casts around them.
//   before  a = linear(x)   b = softmax(a)
//   after   x' = x.to(bfloat16)   a = linear(x')   a' = a.to(float32)   b = softmax(a')
#pragma once

#include "core/module/edit.h"

namespace fx {

class PassOptions;
struct PassContext;

void runCast(Edit& edit, const PassOptions& options, PassContext& context);

} // namespace fx
