// SPDX-License-Identifier: GPL-3.0-or-later
// Folds batch normalisations into the convolutions and linear layers before them (torch.fx's
// optimization.fuse), for modules, functions and operators of aten alike.
//   before  a = conv(x)   b = bn(a)   c = relu(b)
//   after   a = conv(x)   c = relu(a)             with other weights in conv
// Left alone, and told: what is in training mode, has no statistics of its own, or shares its layer with
// calls that have no such normalisation after them.
#pragma once

#include "core/module/edit.h"

namespace fx {

class PassOptions;
struct PassContext;

/// As the first step of another pass: the same, and nothing is told where there is nothing of it.
void foldNorms(Edit& edit, PassContext& context);

void runFuse(Edit& edit, const PassOptions& options, PassContext& context);

} // namespace fx
