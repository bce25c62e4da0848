# SPDX-License-Identifier: GPL-3.0-or-later
# torch.nn.functional: the functions written in C under their names here, and ours from the folder _functional.
# Their bodies run on tensors; what they record for a Proxy is in core/torch/tables/functions.txt.
from torch import (Tensor, adaptive_avg_pool1d, avg_pool1d, bilinear, celu_, channel_shuffle, conv1d, conv2d, conv3d,
                   conv_tbc, conv_transpose1d, conv_transpose2d, conv_transpose3d, cosine_similarity, hardshrink,
                   native_channel_shuffle, pairwise_distance, pdist, pixel_shuffle, pixel_unshuffle, prelu, relu_,
                   rrelu_, selu_, threshold_)
from torch._C._nn import (avg_pool2d, avg_pool3d, elu_, gelu, hardtanh_, leaky_relu_, linear,
                          log_sigmoid as logsigmoid, one_hot, scaled_dot_product_attention, softplus, softshrink)
from torch.overrides import (handle_torch_function, has_torch_function, has_torch_function_unary,
                             has_torch_function_variadic)
from ._functional.activations import (_get_softmax_dim, _threshold, alpha_dropout, celu, dropout, dropout1d, dropout2d,
                                      dropout3d, elu, feature_alpha_dropout, glu, gumbel_softmax, hardsigmoid,
                                      hardswish, hardtanh, leaky_relu, log_softmax, mish, relu, relu6, rrelu, selu,
                                      sigmoid, silu, softmax, softmin, softsign, tanh, tanhshrink, threshold)
from ._functional.attention import (_canonical_mask, _in_projection, _in_projection_packed, _mha_shape_check,
                                    _none_or_dtype, multi_head_attention_forward)
from ._functional.losses import (binary_cross_entropy, binary_cross_entropy_with_logits, cosine_embedding_loss,
                                 cross_entropy, ctc_loss, gaussian_nll_loss, hinge_embedding_loss, huber_loss, kl_div,
                                 l1_loss, linear_cross_entropy, margin_ranking_loss, mse_loss, multi_margin_loss,
                                 multilabel_margin_loss, multilabel_soft_margin_loss, nll_loss, poisson_nll_loss,
                                 smooth_l1_loss, soft_margin_loss, triplet_margin_loss,
                                 triplet_margin_with_distance_loss)
from ._functional.normalization import (_verify_batch_size, _verify_spatial_size, batch_norm, embedding, embedding_bag,
                                        group_norm, instance_norm, layer_norm, local_response_norm, normalize,
                                        rms_norm)
from ._functional.pooling import (_adaptive_max_pool1d, _adaptive_max_pool2d, _adaptive_max_pool3d,
                                  _fractional_max_pool2d, _fractional_max_pool3d, _max_pool1d, _max_pool2d,
                                  _max_pool3d, _unpool_output_size, adaptive_avg_pool2d, adaptive_avg_pool3d,
                                  adaptive_max_pool1d, adaptive_max_pool1d_with_indices, adaptive_max_pool2d,
                                  adaptive_max_pool2d_with_indices, adaptive_max_pool3d,
                                  adaptive_max_pool3d_with_indices, fold, fractional_max_pool2d,
                                  fractional_max_pool2d_with_indices, fractional_max_pool3d,
                                  fractional_max_pool3d_with_indices, lp_pool1d, lp_pool2d, lp_pool3d, max_pool1d,
                                  max_pool1d_with_indices, max_pool2d, max_pool2d_with_indices, max_pool3d,
                                  max_pool3d_with_indices, max_unpool1d, max_unpool2d, max_unpool3d, unfold)
from ._functional.sampling import (GRID_SAMPLE_INTERPOLATION_MODES, GRID_SAMPLE_PADDING_MODES, affine_grid,
                                   grid_sample, interpolate, pad, upsample, upsample_bilinear, upsample_nearest)
from ._functional.scaled_mm import grouped_mm, scaled_grouped_mm, scaled_mm


def assert_int_or_pair(arg: list[int], arg_name: str, message: str) -> None:
    if not isinstance(arg, int) and len(arg) != 2:
        raise AssertionError(message.format(arg_name))
