// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/packed_weights.h"

#include <ATen/core/function_schema.h>

#include <algorithm>

namespace fx {

bool PackedWeights::isPacking(const TorchOperator& op) {
    const std::string& name = op.schema->name();
    return name == "mkldnn::_reorder_convolution_weight" || name == "mkldnn::_reorder_linear_weight" ||
           name == "onednn::qconv_prepack" || name == "onednn::qlinear_prepack";
}

bool PackedWeights::Packed::isOf(const std::vector<at::Tensor>& given) const {
    return std::ranges::equal(from, given, [](const Source& source, const at::Tensor& tensor) {
        return source.tensor.is_same(tensor) && source.version == tensor._version();
    });
}

Value PackedWeights::call(const Instruction& instruction, torch::jit::Stack& args) {
    std::vector<at::Tensor> given;
    for (const c10::IValue& arg : args)
        if (arg.isTensor())
            given.push_back(arg.toTensor());
    if (std::ranges::any_of(given, &at::Tensor::is_inference)) { // nobody counts what is written into them
        instruction.op->call(args);
        return std::move(args.back());
    }
    Packed& packed = m_packed[&instruction];
    if (!packed.isOf(given)) {
        instruction.op->call(args);
        packed = {{}, std::move(args.back())};
        for (const at::Tensor& tensor : given)
            packed.from.push_back({tensor, tensor._version()});
    }
    args.clear();
    return packed.result;
}

} // namespace fx
