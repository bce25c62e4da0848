// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of torch.nn's modules as calls of functions, with the weights read by the graph itself: what torch.fx
// records where no module is a leaf.
//   before  a = call_module[conv](x)
//   after   w = get_attr[conv.weight]   b = get_attr[conv.bias]   a = torch.conv2d(x, w, b, (1, 1), ...)
#pragma once

#include "core/module/edit.h"

#include <unordered_map>

namespace fx {

class PassOptions;
struct PassContext;

class LeftAlone;

/// Those calls of modules, each by what stands for it now; what could not be inlined is told and not in it,
/// and of nn.Identity nothing stands for it.
std::unordered_map<NodeId, NodeId> inlineModules(Edit& edit, const std::vector<NodeId>& calls,
                                                 LeftAlone& left);

void runInlineModules(Edit& edit, const PassOptions& options, PassContext& context);

} // namespace fx
