// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/clean/module_functions.h"

#include "core/passes/clean/call_names.h"

#include <algorithm>

namespace fx {

namespace {

constexpr std::string_view kConv = "0 weight bias stride padding dilation groups";
constexpr std::string_view kTransposed = "0 weight bias stride padding output_padding groups dilation";
constexpr std::string_view kBatchNorm =
    "0 running_mean running_var weight bias @batch_statistics momentum eps";
constexpr std::string_view kMaxPool =
    "0 kernel_size stride padding dilation ceil_mode=ceil_mode return_indices=return_indices";
constexpr std::string_view kAvgPool =
    "0 kernel_size stride padding ceil_mode count_include_pad divisor_override";
constexpr std::string_view kDropout = "0 p @training inplace";
constexpr std::string_view kRecurrent =
    "0 @state @weights bias num_layers dropout @training bidirectional batch_first";

constexpr ModuleFunction kModuleFunctions[] = {
    {"linear.Identity", "", "0"},
    {"linear.Linear", "linear", "0 weight bias"},
    {"linear.NonDynamicallyQuantizableLinear", "linear", "0 weight bias"},
    {"linear.Bilinear", "bilinear", "0 1 weight bias"},
    {"conv.Conv1d", "conv1d", kConv},
    {"conv.Conv2d", "conv2d", kConv},
    {"conv.Conv3d", "conv3d", kConv},
    {"conv.ConvTranspose1d", "conv_transpose1d", kTransposed},
    {"conv.ConvTranspose2d", "conv_transpose2d", kTransposed},
    {"conv.ConvTranspose3d", "conv_transpose3d", kTransposed},
    {"batchnorm.BatchNorm1d", "batch_norm", kBatchNorm},
    {"batchnorm.BatchNorm2d", "batch_norm", kBatchNorm},
    {"batchnorm.BatchNorm3d", "batch_norm", kBatchNorm},
    {"normalization.LayerNorm", "layer_norm", "0 normalized_shape weight bias eps"},
    {"normalization.GroupNorm", "group_norm", "0 num_groups weight bias eps"},
    {"normalization.RMSNorm", "rms_norm", "0 normalized_shape weight eps"},
    {"normalization.LocalResponseNorm", "local_response_norm", "0 size alpha beta k"},
    {"activation.Threshold", "threshold", "0 threshold value inplace"},
    {"activation.ReLU", "relu", "0 inplace=inplace"},
    {"activation.RReLU", "rrelu", "0 lower upper @training inplace"},
    {"activation.Hardtanh", "hardtanh", "0 min_val max_val inplace"},
    {"activation.ReLU6", "hardtanh", "0 min_val max_val inplace"},
    {"activation.Sigmoid", "torch.sigmoid", "0"},
    {"activation.Hardsigmoid", "hardsigmoid", "0 inplace"},
    {"activation.Tanh", "torch.tanh", "0"},
    {"activation.SiLU", "silu", "0 inplace=inplace"},
    {"activation.Mish", "mish", "0 inplace=inplace"},
    {"activation.Hardswish", "hardswish", "0 inplace"},
    {"activation.ELU", "elu", "0 alpha inplace"},
    {"activation.CELU", "celu", "0 alpha inplace"},
    {"activation.SELU", "selu", "0 inplace"},
    {"activation.GLU", "glu", "0 dim"},
    {"activation.GELU", "gelu", "0 approximate=approximate"},
    {"activation.Hardshrink", "hardshrink", "0 lambd"},
    {"activation.LeakyReLU", "leaky_relu", "0 negative_slope inplace"},
    {"activation.LogSigmoid", "logsigmoid", "0"},
    {"activation.Softplus", "softplus", "0 beta threshold"},
    {"activation.Softshrink", "softshrink", "0 lambd"},
    {"activation.PReLU", "prelu", "0 weight"},
    {"activation.Softsign", "softsign", "0"},
    {"activation.Tanhshrink", "tanhshrink", "0"},
    {"activation.Softmin", "softmin", "0 dim _stacklevel=5"},
    {"activation.Softmax", "softmax", "0 dim _stacklevel=5"},
    {"activation.LogSoftmax", "log_softmax", "0 dim _stacklevel=5"},
    {"pooling.MaxPool1d", "max_pool1d", kMaxPool},
    {"pooling.MaxPool2d", "max_pool2d", kMaxPool},
    {"pooling.MaxPool3d", "max_pool3d", kMaxPool},
    {"pooling.AvgPool1d", "avg_pool1d", "0 kernel_size stride padding ceil_mode count_include_pad"},
    {"pooling.AvgPool2d", "avg_pool2d", kAvgPool},
    {"pooling.AvgPool3d", "avg_pool3d", kAvgPool},
    {"pooling.AdaptiveMaxPool1d", "adaptive_max_pool1d", "0 output_size return_indices"},
    {"pooling.AdaptiveMaxPool2d", "adaptive_max_pool2d", "0 output_size return_indices"},
    {"pooling.AdaptiveMaxPool3d", "adaptive_max_pool3d", "0 output_size return_indices"},
    {"pooling.AdaptiveAvgPool1d", "adaptive_avg_pool1d", "0 output_size"},
    {"pooling.AdaptiveAvgPool2d", "adaptive_avg_pool2d", "0 output_size"},
    {"pooling.AdaptiveAvgPool3d", "adaptive_avg_pool3d", "0 output_size"},
    {"padding.ConstantPad1d", "pad", "0 padding 'constant' value"},
    {"padding.ConstantPad2d", "pad", "0 padding 'constant' value"},
    {"padding.ConstantPad3d", "pad", "0 padding 'constant' value"},
    {"padding.ZeroPad1d", "pad", "0 padding 'constant' value"},
    {"padding.ZeroPad2d", "pad", "0 padding 'constant' value"},
    {"padding.ZeroPad3d", "pad", "0 padding 'constant' value"},
    {"padding.ReflectionPad1d", "pad", "0 padding 'reflect'"},
    {"padding.ReflectionPad2d", "pad", "0 padding 'reflect'"},
    {"padding.ReflectionPad3d", "pad", "0 padding 'reflect'"},
    {"padding.ReplicationPad1d", "pad", "0 padding 'replicate'"},
    {"padding.ReplicationPad2d", "pad", "0 padding 'replicate'"},
    {"padding.ReplicationPad3d", "pad", "0 padding 'replicate'"},
    {"flatten.Flatten", ".flatten", "0 start_dim end_dim"},
    {"flatten.Unflatten", ".unflatten", "0 dim unflattened_size"},
    {"pixelshuffle.PixelShuffle", "pixel_shuffle", "0 upscale_factor"},
    {"pixelshuffle.PixelUnshuffle", "pixel_unshuffle", "0 downscale_factor"},
    {"channelshuffle.ChannelShuffle", "channel_shuffle", "0 groups"},
    {"rnn.GRU", "torch.gru", kRecurrent},
    {"rnn.LSTM", "torch.lstm", kRecurrent},
    {"sparse.Embedding", "embedding", "0 weight padding_idx max_norm norm_type scale_grad_by_freq sparse"},
    {"upsampling.Upsample", "interpolate",
     "0 size scale_factor mode align_corners recompute_scale_factor=recompute_scale_factor"},
    {"upsampling.UpsamplingNearest2d", "interpolate",
     "0 size scale_factor mode align_corners recompute_scale_factor=recompute_scale_factor"},
    {"upsampling.UpsamplingBilinear2d", "interpolate",
     "0 size scale_factor mode align_corners recompute_scale_factor=recompute_scale_factor"},
    {"dropout.Dropout", "dropout", kDropout},
    {"dropout.Dropout1d", "dropout1d", kDropout},
    {"dropout.Dropout2d", "dropout2d", kDropout},
    {"dropout.Dropout3d", "dropout3d", kDropout},
    {"dropout.AlphaDropout", "alpha_dropout", "0 p @training"},
    {"dropout.FeatureAlphaDropout", "feature_alpha_dropout", "0 p @training"},
    {"distance.PairwiseDistance", "pairwise_distance", "0 1 norm eps keepdim"},
    {"distance.CosineSimilarity", "cosine_similarity", "0 1 dim eps"},
};

} // namespace

const ModuleFunction* functionOf(const Module& module, std::string& obstacle) {
    constexpr std::string_view kHead = "torch.nn.modules.";
    if (!module.type.starts_with(kHead) || module.graph)
        return nullptr;
    const auto* row = std::ranges::find(kModuleFunctions, std::string_view(module.type).substr(kHead.size()),
                                        &ModuleFunction::type);
    if (row == std::end(kModuleFunctions))
        return nullptr;
    const Argument* padding = module.value("padding_mode");
    const Argument* tracks = module.value("track_running_stats");
    if (hasHooks(module))
        obstacle = "as they have hooks";
    else if (padding && row->function.starts_with("conv") && !(*padding == Argument("zeros")))
        obstacle = "as they pad otherwise than with zeros";
    else if (row->function == "batch_norm" && module.isTraining && tracks && *tracks == Argument(true))
        obstacle = "as they count batches in training mode";
    return obstacle.empty() ? row : nullptr;
}

} // namespace fx
