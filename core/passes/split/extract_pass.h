// SPDX-License-Identifier: GPL-3.0-or-later
// Moves calls that were chosen by hand into a submodule with a graph of its own. merge_parts.h is the other
// way.
//   before  a = relu(x)   b = add(a, w)   c = neg(b)
//   after   block = call_module[block](x)   c = neg(block)       block: a = relu(x)   return add(a, self.w)
#pragma once

#include "core/module/edit.h"

#include <vector>

namespace fx {

struct PassOption;
class PassOptions;
struct PassContext;

/// Throws an Error where they cannot be one call: a value would leave it and come back into it, or calls with
/// side effects would come at another time.
void runExtract(Edit& edit, const PassOptions& options, PassContext& context);
std::vector<PassOption> extractOptions();

} // namespace fx
