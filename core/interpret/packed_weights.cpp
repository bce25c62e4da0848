// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/packed_weights.h"

#include <ATen/core/function_schema.h>

#include <algorithm>

namespace fx {

bool PackedWeights::isPacking(const TorchOperator& op) {
    const std::string& name = op.schema->name();
    return name == "mkldnn::_reorder_convolution_weight" || name == "mkldnn::_reorder_linear_weight" ||
           name == "onednn::qconv_prepack" || name == "onednn::qlinear_prepack" ||
           name == "onednn::linear_prepack_fp16" || name == "aten::_convert_weight_to_int4pack_for_cpu" ||
           name == "quantized::linear_prepack" || name == "quantized::linear_prepack_fp16" ||
           name == "quantized::make_quantized_cell_params_dynamic" ||
           name == "quantized::make_quantized_cell_params_fp16";
}

/// Of what is computed in inference mode nobody counts what is written into it.
static int64_t versionOf(const at::Tensor& tensor) {
    return tensor.is_inference() ? 0 : tensor._version();
}

bool PackedWeights::mayBeWritten(const at::Tensor& tensor) const {
    return tensor.is_inference() && !m_results.contains(tensor.unsafeGetTensorImpl());
}

Value PackedWeights::call(const Instruction& instruction, torch::jit::Stack& args) {
    std::vector<Source> given;
    for (const c10::IValue& arg : args)
        if (arg.isTensor())
            given.push_back({arg, versionOf(arg.toTensor())});
        else if (arg.isObject())
            given.push_back({arg});
    if (std::ranges::any_of(given, [this](const Source& source) {
            return source.value.isTensor() && mayBeWritten(source.value.toTensor());
        })) {
        instruction.op->call(args);
        return std::move(args.back());
    }
    Packed& packed = m_packed[&instruction];
    if (packed.result.isNone() || packed.from != given) {
        instruction.op->call(args);
        if (packed.result.isTensor())
            m_results.erase(packed.result.toTensor().unsafeGetTensorImpl());
        packed = {std::move(given), std::move(args.back())};
        if (packed.result.isTensor())
            m_results.insert(packed.result.toTensor().unsafeGetTensorImpl());
    }
    args.clear();
    return packed.result;
}

} // namespace fx
