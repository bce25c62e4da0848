// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/packed_weights.h"

#include <ATen/core/function_schema.h>

#include <algorithm>

namespace fx {

bool PackedWeights::isPacking(const TorchOperator& op) {
    const std::string& name = op.schema->name();
    return name == "mkldnn::_reorder_convolution_weight" || name == "mkldnn::_reorder_linear_weight" ||
           name == "onednn::qconv_prepack" || name == "onednn::qlinear_prepack" ||
           name == "onednn::linear_prepack_fp16" || name == "aten::_convert_weight_to_int4pack_for_cpu";
}

/// Of what is computed in inference mode nobody counts what is written into it.
static int64_t versionOf(const at::Tensor& tensor) {
    return tensor.is_inference() ? 0 : tensor._version();
}

bool PackedWeights::Packed::isOf(const std::vector<at::Tensor>& given) const {
    return std::ranges::equal(from, given, [](const Source& source, const at::Tensor& tensor) {
        return source.tensor.is_same(tensor) && source.version == versionOf(tensor);
    });
}

bool PackedWeights::mayBeWritten(const at::Tensor& tensor) const {
    return tensor.is_inference() && !m_results.contains(tensor.unsafeGetTensorImpl());
}

Value PackedWeights::call(const Instruction& instruction, torch::jit::Stack& args) {
    std::vector<at::Tensor> given;
    for (const c10::IValue& arg : args)
        if (arg.isTensor())
            given.push_back(arg.toTensor());
    if (std::ranges::any_of(given, [this](const at::Tensor& tensor) { return mayBeWritten(tensor); })) {
        instruction.op->call(args);
        return std::move(args.back());
    }
    Packed& packed = m_packed[&instruction];
    if (!packed.isOf(given)) {
        instruction.op->call(args);
        if (packed.result.isTensor())
            m_results.erase(packed.result.toTensor().unsafeGetTensorImpl());
        packed = {{}, std::move(args.back())};
        if (packed.result.isTensor())
            m_results.insert(packed.result.toTensor().unsafeGetTensorImpl());
        for (const at::Tensor& tensor : given)
            packed.from.push_back({tensor, versionOf(tensor)});
    }
    args.clear();
    return packed.result;
}

} // namespace fx
