// SPDX-License-Identifier: GPL-3.0-or-later
// Takes dropout out of a graph: modules, functions and operators of aten, whatever mode they are in. What is
// left computes what the model does in evaluation mode.
//   before  a = dropout(x)   b = linear(a)
//   after   b = linear(x)
#pragma once

#include "core/module/edit.h"

namespace fx {

class PassOptions;
struct PassContext;

void runRemoveDropout(Edit& edit, const PassOptions& options, PassContext& context);

} // namespace fx
