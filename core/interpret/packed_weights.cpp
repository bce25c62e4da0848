// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/packed_weights.h"

#include <ATen/core/function_schema.h>

namespace fx {

bool PackedWeights::isPacking(const TorchOperator& op) {
    const std::string& name = op.schema->name();
    return name == "mkldnn::_reorder_convolution_weight" || name == "mkldnn::_reorder_linear_weight";
}

Value PackedWeights::call(const Instruction& instruction, torch::jit::Stack& args) {
    const at::Tensor weight = args.at(0).toTensor();
    if (weight.is_inference()) { // nobody counts what is written into it
        instruction.op->call(args);
        return std::move(args.back());
    }
    Packed& packed = m_packed[&instruction];
    if (!packed.weight.is_same(weight) || packed.version != weight._version()) {
        instruction.op->call(args);
        packed = {weight, weight._version(), std::move(args.back())};
    }
    args.clear();
    return packed.result;
}

} // namespace fx
