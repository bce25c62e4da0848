// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of torch.nn's modules as calls of functions, with the weights read by the graph itself: what torch.fx
// records where no module is a leaf.
//   before  a = call_module[conv](x)
//   after   w = get_attr[conv.weight]   b = get_attr[conv.bias]   a = torch.conv2d(x, w, b, (1, 1), ...)
#pragma once

#include "core/module/edit.h"

namespace fx {

class PassOptions;
struct PassContext;

void runInlineModules(Edit& edit, const PassOptions& options, PassContext& context);

} // namespace fx
