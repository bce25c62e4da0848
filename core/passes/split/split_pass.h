// SPDX-License-Identifier: GPL-3.0-or-later
// Cuts the graph into submodules with graphs of their own, as torch.fx's split_module, split_by_tags,
// CapabilityBasedPartitioner and _SplitterBase do. Which nodes go together, say the files *_parts.h; how it
// is written down, part_writer.h.
#pragma once

#include "core/module/edit.h"

#include <vector>

namespace fx {

class PassOptions;
struct PassContext;
struct PassOption;

std::vector<PassOption> splitOptions();
void runSplit(Edit& edit, const PassOptions& options, PassContext& context);

} // namespace fx
