// SPDX-License-Identifier: GPL-3.0-or-later
// The weights of a layer that does what it did and then a batch normalisation with fixed statistics: what
// torch.nn.utils.fusion computes, in its order, so that the numbers are the same to the bit.
#pragma once

#include "core/passes/fuse/layers.h"

namespace fx {

struct FoldedWeights {
    TensorSlot weight, bias;
};

/// Throws LibTorch's error where the two do not fit. The numbers are worked out when they are first read, as
/// those of a model that lies in a file are.
FoldedWeights foldNorm(const Model& model, ModuleId module, const Layer& layer, const Norm& norm);

} // namespace fx
