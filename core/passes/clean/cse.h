// SPDX-License-Identifier: GPL-3.0-or-later
// Computes once what a graph computes twice (torch.fx's CSEPass): a call with the target and the arguments of
// one before it gives way to that one.
//   before  a = exp(x)   b = exp(x)   c = add(a, b)
//   after   a = exp(x)   c = add(a, a)
// Calls that draw random numbers, write, or reach memory that the graph writes into stay.
#pragma once

#include "core/module/edit.h"

namespace fx {

class PassOptions;
struct PassContext;

void runCse(Edit& edit, const PassOptions& options, PassContext& context);

} // namespace fx
