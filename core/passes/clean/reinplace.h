// SPDX-License-Identifier: GPL-3.0-or-later
// Lets calls write their result into an argument that nobody reads afterwards (torch.fx's reinplace), from
// the shapes that the nodes have recorded. For models that are not trained.
//   before  a = mul(x, 2)   b = relu(a)
//   after   a = mul(x, 2)   b = relu_(a)
// Inputs and weights of the model are never written.
#pragma once

#include "core/module/edit.h"

namespace fx {

class PassOptions;
struct PassContext;

void runReinplace(Edit& edit, const PassOptions& options, PassContext& context);

} // namespace fx
