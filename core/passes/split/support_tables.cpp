// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of what backends run that need no file. tests/oracle/check_split_passes.py holds them against
// torch.
#include "core/base/text.h"
#include "core/passes/split/operator_support.h"

#include <ATen/core/dispatch/Dispatcher.h>

namespace fx {

namespace {

/// What torch.fx.experimental.optimization hands to oneDNN.
constexpr std::string_view kOnednnTargets =
    "torch.nn.modules.conv.Conv2d torch.nn.modules.linear.Linear torch.nn.modules.batchnorm.BatchNorm2d "
    "torch.nn.modules.activation.ReLU torch.nn.modules.pooling.MaxPool2d "
    "torch.nn.modules.pooling.AvgPool2d torch.nn.modules.pooling.AdaptiveAvgPool2d torch.relu "
    "torch.transpose torch.sigmoid torch.nn.functional.relu torch._C._nn.avg_pool2d "
    "torch.nn.functional.adaptive_avg_pool2d _operator.add _operator.mul";

/// What torch.ao.quantization's native backend takes and gives in int8, one call at a time.
constexpr std::string_view kQuantizableTargets =
    "_operator.add _operator.floordiv _operator.mul clamp contiguous detach detach_ "
    "hardsigmoid hardsigmoid_ mean permute relu relu_ repeat repeat_interleave reshape "
    "resize_ shape sigmoid sigmoid_ size squeeze squeeze_ tanh tanh_ torch._C._nn.avg_pool2d "
    "torch._C._nn.avg_pool3d torch._C._nn.hardtanh_ torch._C._nn.linear "
    "torch.adaptive_avg_pool1d torch.add torch.ao.nn.intrinsic.modules.fused.BNReLU2d "
    "torch.ao.nn.intrinsic.modules.fused.BNReLU3d "
    "torch.ao.nn.intrinsic.modules.fused.ConvBn1d "
    "torch.ao.nn.intrinsic.modules.fused.ConvBn2d "
    "torch.ao.nn.intrinsic.modules.fused.ConvBn3d "
    "torch.ao.nn.intrinsic.modules.fused.ConvBnReLU1d "
    "torch.ao.nn.intrinsic.modules.fused.ConvBnReLU2d "
    "torch.ao.nn.intrinsic.modules.fused.ConvBnReLU3d "
    "torch.ao.nn.intrinsic.modules.fused.ConvReLU1d "
    "torch.ao.nn.intrinsic.modules.fused.ConvReLU2d "
    "torch.ao.nn.intrinsic.modules.fused.ConvReLU3d "
    "torch.ao.nn.intrinsic.modules.fused.LinearBn1d "
    "torch.ao.nn.intrinsic.modules.fused.LinearReLU "
    "torch.ao.nn.intrinsic.qat.modules.conv_fused.ConvBn1d "
    "torch.ao.nn.intrinsic.qat.modules.conv_fused.ConvBn2d "
    "torch.ao.nn.intrinsic.qat.modules.conv_fused.ConvBn3d "
    "torch.ao.nn.intrinsic.qat.modules.conv_fused.ConvBnReLU1d "
    "torch.ao.nn.intrinsic.qat.modules.conv_fused.ConvBnReLU2d "
    "torch.ao.nn.intrinsic.qat.modules.conv_fused.ConvBnReLU3d "
    "torch.ao.nn.intrinsic.qat.modules.conv_fused.ConvReLU1d "
    "torch.ao.nn.intrinsic.qat.modules.conv_fused.ConvReLU2d "
    "torch.ao.nn.intrinsic.qat.modules.conv_fused.ConvReLU3d "
    "torch.ao.nn.intrinsic.qat.modules.linear_fused.LinearBn1d "
    "torch.ao.nn.intrinsic.qat.modules.linear_relu.LinearReLU "
    "torch.ao.nn.qat.modules.conv.Conv1d torch.ao.nn.qat.modules.conv.Conv2d "
    "torch.ao.nn.qat.modules.conv.Conv3d torch.ao.nn.qat.modules.linear.Linear "
    "torch.avg_pool1d torch.cat torch.clamp torch.conv1d torch.conv2d torch.conv3d "
    "torch.conv_transpose1d torch.conv_transpose2d torch.conv_transpose3d torch.flatten "
    "torch.matmul torch.mean torch.mul torch.narrow torch.nn.functional.adaptive_avg_pool2d "
    "torch.nn.functional.adaptive_avg_pool3d torch.nn.functional.dropout "
    "torch.nn.functional.elu torch.nn.functional.group_norm torch.nn.functional.hardsigmoid "
    "torch.nn.functional.hardswish torch.nn.functional.hardtanh "
    "torch.nn.functional.instance_norm torch.nn.functional.interpolate "
    "torch.nn.functional.layer_norm torch.nn.functional.leaky_relu "
    "torch.nn.functional.max_pool1d torch.nn.functional.max_pool2d "
    "torch.nn.functional.max_pool3d torch.nn.functional.relu torch.nn.functional.relu6 "
    "torch.nn.modules.activation.ELU torch.nn.modules.activation.Hardsigmoid "
    "torch.nn.modules.activation.Hardswish torch.nn.modules.activation.Hardtanh "
    "torch.nn.modules.activation.LeakyReLU torch.nn.modules.activation.PReLU "
    "torch.nn.modules.activation.ReLU torch.nn.modules.activation.ReLU6 "
    "torch.nn.modules.activation.Sigmoid torch.nn.modules.activation.Softmax "
    "torch.nn.modules.activation.Tanh torch.nn.modules.batchnorm.BatchNorm2d "
    "torch.nn.modules.batchnorm.BatchNorm3d torch.nn.modules.conv.Conv1d "
    "torch.nn.modules.conv.Conv2d torch.nn.modules.conv.Conv3d "
    "torch.nn.modules.conv.ConvTranspose1d torch.nn.modules.conv.ConvTranspose2d "
    "torch.nn.modules.conv.ConvTranspose3d torch.nn.modules.dropout.Dropout "
    "torch.nn.modules.instancenorm.InstanceNorm1d "
    "torch.nn.modules.instancenorm.InstanceNorm2d "
    "torch.nn.modules.instancenorm.InstanceNorm3d torch.nn.modules.linear.Identity "
    "torch.nn.modules.linear.Linear torch.nn.modules.normalization.LayerNorm "
    "torch.nn.modules.pixelshuffle.PixelShuffle torch.nn.modules.pixelshuffle.PixelUnshuffle "
    "torch.nn.modules.pooling.AdaptiveAvgPool1d torch.nn.modules.pooling.AdaptiveAvgPool2d "
    "torch.nn.modules.pooling.AdaptiveAvgPool3d torch.nn.modules.pooling.AvgPool1d "
    "torch.nn.modules.pooling.AvgPool2d torch.nn.modules.pooling.AvgPool3d "
    "torch.nn.modules.pooling.MaxPool1d torch.nn.modules.pooling.MaxPool2d "
    "torch.nn.modules.pooling.MaxPool3d torch.pixel_shuffle torch.pixel_unshuffle "
    "torch.repeat_interleave torch.sigmoid torch.squeeze torch.stack torch.tanh "
    "torch.transpose torch.unsqueeze transpose unsqueeze unsqueeze_ view";

SupportTable tableOf(std::string_view targets) {
    SupportTable out;
    for (const std::string_view target : split(targets, ' '))
        out.add(std::string(target), {});
    return out;
}

/// The operators of aten that LibTorch has a kernel of oneDNN for.
void addOperatorsOfOnednn(SupportTable& table) {
    for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
        const auto op = c10::Dispatcher::singleton().findSchema(name);
        if (!name.name.starts_with("aten::") || !op ||
            !op->hasKernelForDispatchKey(c10::DispatchKey::MkldnnCPU))
            continue;
        table.add("torch.ops.aten." + name.name.substr(6) + '.' +
                      (name.overload_name.empty() ? "default" : name.overload_name),
                  {});
    }
}

SupportTable onednnTable() {
    SupportTable out = tableOf(kOnednnTargets);
    addOperatorsOfOnednn(out);
    return out;
}

} // namespace

const SupportTable* supportTable(const std::string& name) {
    static const SupportTable kOnednn = onednnTable(), kQuantizable = tableOf(kQuantizableTargets);
    return name == "onednn" ? &kOnednn : name == "quantizable" ? &kQuantizable : nullptr;
}

} // namespace fx
