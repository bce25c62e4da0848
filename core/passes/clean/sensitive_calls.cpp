// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/clean/sensitive_calls.h"

#include "core/passes/clean/call_names.h"

#include <set>
#include <string>

namespace fx {

namespace {

bool isSensitiveName(std::string_view name) {
    static const std::set<std::string_view> kNames = {
        "acos", "asin", "cosh", "tan", "sinh", "erfinv", "exp", "expm1", "log", "log10", "log2", "log1p",
        "logsumexp", "reciprocal", "rsqrt", "pow", "float_power", "softmax", "_softmax", "softmin",
        "log_softmax", "_log_softmax", "softplus", "layer_norm", "native_layer_norm", "group_norm",
        "native_group_norm", "rms_norm", "_fused_rms_norm", "norm", "vector_norm", "linalg_vector_norm",
        "linalg_matrix_norm", "linalg_norm", "renorm", "normalize", "dist", "pdist", "cdist",
        "cosine_similarity", "sum", "prod", "cumsum", "cumprod", "var", "std", "var_mean", "std_mean",
        "nll_loss", "nll_loss_forward", "nll_loss2d", "cross_entropy", "cross_entropy_loss", "mse_loss",
        "l1_loss", "smooth_l1_loss", "huber_loss", "kl_div", "soft_margin_loss", "multi_margin_loss",
        "multilabel_margin_loss", "hinge_embedding_loss", "margin_ranking_loss", "triplet_margin_loss",
        "cosine_embedding_loss", "poisson_nll_loss", "gaussian_nll_loss", "ctc_loss", "binary_cross_entropy",
        "binary_cross_entropy_with_logits",
        // Without a kernel for it.
        "avg_pool3d", "local_response_norm", "rrelu", "inverse", "det", "logdet", "slogdet", "svd", "qr",
        "cholesky", "stft", "istft", "quantile", "nanquantile"};
    return kNames.contains(name);
}

} // namespace

bool isSensitive(const Module* module, const Node& node) {
    if (node.opcode == Opcode::CallMethod)
        return isSensitiveName(node.target.name());
    if (!module) {
        const std::string& name = node.target.name();
        return name.starts_with("torch.linalg.") || name.starts_with("torch.fft.") ||
               name == "operator.pow" || isSensitiveName(functionOfTorch(node));
    }
    static const std::set<std::string_view> kClasses = {"normalization.LayerNorm",
                                                        "normalization.GroupNorm",
                                                        "normalization.RMSNorm",
                                                        "activation.Softmax",
                                                        "activation.Softmin",
                                                        "activation.LogSoftmax",
                                                        "activation.Softmax2d",
                                                        "activation.Softplus",
                                                        "distance.PairwiseDistance",
                                                        "distance.CosineSimilarity",
                                                        "normalization.LocalResponseNorm",
                                                        "pooling.AvgPool3d",
                                                        "activation.RReLU"};
    constexpr std::string_view kHead = "torch.nn.modules.";
    if (!module->type.starts_with(kHead))
        return false;
    const std::string_view name = std::string_view(module->type).substr(kHead.size());
    return name.starts_with("loss.") || kClasses.contains(name);
}

} // namespace fx
