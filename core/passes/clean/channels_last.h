// SPDX-License-Identifier: GPL-3.0-or-later
// Lays images out with their channels last, which convolutions of most processors are faster on: weights of
// four and five dimensions, and the inputs that are such.
//   before  a = conv(x)   b = a.view(2, -1)
//   after   x' = x.contiguous(memory_format=channels_last)   a = conv(x')   b = a.reshape(2, -1)
// What counts on numbers lying as before is written so that it does not, or refused.
#pragma once

#include "core/module/edit.h"

namespace fx {

class PassOptions;
struct PassContext;

void runChannelsLast(Edit& edit, const PassOptions& options, PassContext& context);

} // namespace fx
