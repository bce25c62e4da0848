// SPDX-License-Identifier: GPL-3.0-or-later
// Types of nodes: what the annotations of functions and modules say that they return, and what attributes are
// (torch.fx's AnnotateTypesWithSchema); with `values` also what the recorded values are. A type that a node
// has stays.
//   before  a = call_module[conv](x)
//   after   a : torch.Tensor = call_module[conv](x)
#pragma once

#include "core/module/edit.h"

namespace fx {

class PassOptions;
struct PassContext;

void runAnnotateTypes(Edit& edit, const PassOptions& options, PassContext& context);

} // namespace fx
