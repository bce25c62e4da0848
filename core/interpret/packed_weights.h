// SPDX-License-Identifier: GPL-3.0-or-later
// Weights that a graph reorders for oneDNN (torch.ops.mkldnn._reorder_convolution_weight): a run does it
// once, and again only where the weight is another or was written into. The graph stays what it says.
#pragma once

#include "core/interpret/program.h"
#include "core/python/value.h"

#include <ATen/core/Tensor.h>

namespace fx {

class PackedWeights {
public:
    /// Whether an operator does nothing but lay out its first argument in another way.
    static bool isPacking(const TorchOperator& op);
    /// What the call of the instruction with these arguments gives.
    Value call(const Instruction& instruction, torch::jit::Stack& args);

private:
    struct Packed {
        at::Tensor weight; ///< kept, so that nothing else comes to lie there
        int64_t version = 0;
        c10::IValue result;
    };
    std::unordered_map<const Instruction*, Packed> m_packed;
};

} // namespace fx
