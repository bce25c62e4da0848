// SPDX-License-Identifier: GPL-3.0-or-later
// From the lifted graph of a .pt2, where parameters are inputs, to the module that a caller uses: what
// ExportedProgram.module() does, step by step, because the names of nodes depend on the steps.
#pragma once

#include "core/io/pt2/pt2_signature.h"
#include "core/module/edit.h"

namespace fx {

/// Reads equal items of one value once (torch.export does it to every graph that it opens).
void mergeEqualGetItems(Edit& edit);

/// Gives the unlifted model. `hasEffects`: the graph is functional, so that effect tokens and dead code go.
Model unlift(const Model& lifted, Pt2Signature signature, bool hasEffects);

} // namespace fx
