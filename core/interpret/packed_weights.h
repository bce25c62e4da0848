// SPDX-License-Identifier: GPL-3.0-or-later
// Weights that a graph reorders for oneDNN (torch.ops.mkldnn._reorder_convolution_weight,
// torch.ops.onednn.qconv_prepack) or packs into an object (torch.ops.quantized.linear_prepack), and what
// leads from weights to that alone: a run does it once, and again only where the weight is another or was
// written into. The graph stays what it says.
#pragma once

#include "core/interpret/program.h"
#include "core/python/value.h"

#include <ATen/core/Tensor.h>

#include <unordered_map>
#include <unordered_set>

namespace fx {

class PackedWeights {
public:
    /// Whether an operator does nothing but lay out a weight in another way.
    static bool isPacking(const TorchOperator& op);
    /// What the call of the instruction with these arguments gives.
    Value call(const Instruction& instruction, torch::jit::Stack& args);

private:
    struct Source {
        c10::IValue value; ///< a tensor, or an object; kept, so that nothing else comes to lie there
        int64_t version = 0;
        bool operator==(const Source& other) const {
            return version == other.version && value.is(other.value);
        }
    };
    struct Packed {
        std::vector<Source> from;
        c10::IValue result; ///< None: not yet
    };
    /// Without anybody counting it. Our own results are read by what packs, and by nothing else.
    bool mayBeWritten(const at::Tensor& tensor) const;

    std::unordered_map<const Instruction*, Packed> m_packed;
    std::unordered_set<const c10::TensorImpl*> m_results;
};

} // namespace fx
