# SPDX-License-Identifier: GPL-3.0-or-later
# Losses.
import math
import warnings
from collections.abc import Callable

import torch
from torch import Tensor
from torch._C._nn import linear, log_sigmoid
from .chunked_cross_entropy import chunked_cross_entropy
from .common import reduced, reduction_code, reduction_word


def _check_word(reduction, words):
    if reduction not in ('none', 'mean', 'sum'):
        raise ValueError(reduction + words)


def _warn_of_broadcast(input, target):
    if target.size() != input.size():
        warnings.warn(f'the target of size {target.size()} is broadcast to the input of size {input.size()}: '
                      'the loss is likely to be wrong')


def nll_loss(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
             ignore_index: int = -100, reduce: bool | None = None, reduction: str = 'mean') -> Tensor:
    code = reduction_code(reduction, size_average, reduce)
    return torch._C._nn.nll_loss_nd(input, target, weight, code, ignore_index)


def cross_entropy(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
                  ignore_index: int = -100, reduce: bool | None = None, reduction: str = 'mean',
                  label_smoothing: float = 0.0) -> Tensor:
    return torch._C._nn.cross_entropy_loss(input, target, weight, reduction_code(reduction, size_average, reduce),
                                           ignore_index, label_smoothing)


def linear_cross_entropy(input: Tensor, linear_weight: Tensor, target: Tensor, *, linear_bias: Tensor | None = None,
                         weight: Tensor | None = None, reduction: str = 'mean', ignore_index: int | None = None,
                         label_smoothing: float = 0.0, options=None) -> Tensor:
    if input.dim() not in (1, 2):
        raise RuntimeError(f'expected input with dimensionality 1 or 2, got {input.dim()}')
    if linear_weight.dim() < 2:
        raise RuntimeError(f'expected linear_weight with dimensionality at least 2, got {linear_weight.dim()}')
    features = input.shape[-1]
    if features != linear_weight.shape[-1]:
        raise RuntimeError('expected equal input and linear_weight last dimensions (in_features), got '
                           f'{features} and {linear_weight.shape[-1]}, respectively')
    outputs = tuple(linear_weight.shape[:-1])
    if linear_bias is not None and tuple(linear_bias.shape) != outputs:
        raise RuntimeError(f'expected linear_bias shape {outputs}, got {tuple(linear_bias.shape)}')
    if len(outputs) > 1 and input.dim() == 1:
        raise RuntimeError(f'K-dimensional loss defined by linear_weight shape {tuple(linear_weight.shape)} requires '
                           f'batched input, (N, {features}), got unbatched input with shape {tuple(input.shape)}')
    shape = (*input.shape[:-1], *outputs)
    if target.shape == shape and ignore_index is not None:
        raise RuntimeError('ignore_index cannot be specified when target contains probabilities')
    ignore_index = -100 if ignore_index is None else ignore_index
    if options is not None:
        can_chunk = (reduction in ('mean', 'sum', 'none') and label_smoothing == 0.0 and target.dtype == torch.int64
                     and len(outputs) == 1)
        if can_chunk:
            return _in_chunks(input, linear_weight, target, linear_bias, weight, reduction, ignore_index, options)
        warnings.warn('linear_cross_entropy goes without its options: chunks are for the reductions mean, sum and none, '
                      'targets of int64, one dimension of classes and no label smoothing')
    if len(outputs) > 1:
        count = math.prod(outputs)
        linear_weight = linear_weight.reshape((count, features))
        linear_bias = None if linear_bias is None else linear_bias.reshape(count)
    logits = linear(input, linear_weight, linear_bias).reshape(shape)
    return cross_entropy(logits, target, weight=weight, reduction=reduction,
                         ignore_index=ignore_index, label_smoothing=label_smoothing)


def _in_chunks(input, linear_weight, target, linear_bias, weight, reduction, ignore_index, options):
    is_single = input.dim() == 1
    if is_single:
        input, target = input.unsqueeze(0), target.unsqueeze(0)
    options = options._adjust(num_batches=input.shape[0], in_features=input.shape[1], num_classes=linear_weight.shape[0],
                              dtype=input.dtype, device=input.device)
    loss = chunked_cross_entropy(input, linear_weight, target, linear_bias, weight, reduction, ignore_index, options)
    return loss.squeeze(0) if is_single else loss


def ctc_loss(log_probs: Tensor, targets: Tensor, input_lengths: Tensor, target_lengths: Tensor, blank: int = 0,
             reduction: str = 'mean', zero_infinity: bool = False) -> Tensor:
    return torch.ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, reduction_code(reduction),
                          zero_infinity)


def poisson_nll_loss(input: Tensor, target: Tensor, log_input: bool = True, full: bool = False,
                     size_average: bool | None = None, eps: float = 1e-8, reduce: bool | None = None,
                     reduction: str = 'mean') -> Tensor:
    word = reduction_word(reduction, size_average, reduce)
    _check_word(word, ' is not a valid value for reduction')
    return torch.poisson_nll_loss(input, target, log_input, full, eps, reduction_code(word))


def _variance_for(input, var):
    # One variance for each sample, or for each number; a dimension of size one is broadcast.
    if var.size() == input.size():
        return var
    if input.size()[:-1] == var.size():
        return torch.unsqueeze(var, -1)
    if input.ndim != var.ndim or sum(ours for size, ours in zip(input.size(), var.size()) if size != ours) != 1:
        raise ValueError('var is of incorrect size')
    return var


def gaussian_nll_loss(input: Tensor, target: Tensor, var: Tensor | float, full: bool = False, eps: float = 1e-6,
                      reduction: str = 'mean') -> Tensor:
    if var < 0 if isinstance(var, float) else torch.any(var < 0):
        raise ValueError('var has negative entry/entries')
    if isinstance(var, float):
        var = var * torch.ones_like(input)
    var = _variance_for(input, var)
    _check_word(reduction, ' is not valid')
    var = var.clone()
    with torch.no_grad():
        var.clamp_(min=eps)
    loss = 0.5 * (torch.log(var) + (input - target) ** 2 / var)
    if full:
        loss += 0.5 * math.log(2 * math.pi)
    return reduced(loss, reduction)


def kl_div(input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None,
           reduction: str = 'mean', log_target: bool = False) -> Tensor:
    old_way = size_average is not None or reduce is not None
    if not old_way and reduction == 'mean':
        warnings.warn("kl_div with reduction='mean' divides by the support size too; 'batchmean' is the mean of the "
                      'divergence')
    by_batch = reduction == 'batchmean'
    code = reduction_code('sum' if by_batch and not old_way else reduction, size_average, reduce)
    loss = torch.kl_div(input, target, code, log_target=log_target)
    return loss / input.size()[0] if by_batch and input.dim() != 0 else loss


def binary_cross_entropy(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
                         reduce: bool | None = None, reduction: str = 'mean') -> Tensor:
    code = reduction_code(reduction, size_average, reduce)
    if target.size() != input.size():
        raise ValueError(f'Using a target size ({target.size()}) that is different to the input size '
                         f'({input.size()}) is deprecated. Please ensure they have the same size.')
    if weight is not None:
        weight = weight.expand(torch.broadcast_shapes(target.size(), weight.size()))
    return torch._C._nn.binary_cross_entropy(input, target, weight, code)


def binary_cross_entropy_with_logits(input: Tensor, target: Tensor, weight: Tensor | None = None,
                                     size_average: bool | None = None, reduce: bool | None = None,
                                     reduction: str = 'mean', pos_weight: Tensor | None = None) -> Tensor:
    code = reduction_code(reduction, size_average, reduce)
    if target.size() != input.size():
        raise ValueError(f'Target size ({target.size()}) must be the same as input size ({input.size()})')
    return torch.binary_cross_entropy_with_logits(input, target, weight, pos_weight, code)


def _weighted(errors, weight, reduction, by_weight=True):
    errors = errors * weight
    if reduction == 'none':
        return errors
    if reduction == 'sum':
        return torch.sum(errors)
    if reduction == 'mean':
        return torch.sum(errors) / torch.sum(weight) if by_weight else errors.mean()
    raise ValueError(f"Invalid reduction mode: {reduction}. Expected one of 'none', 'mean', 'sum'.")


def _check_weight(input, weight):
    if weight.size() != input.size():
        raise ValueError('Weights and input must have the same size.')


def smooth_l1_loss(input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None,
                   reduction: str = 'mean', beta: float = 1.0) -> Tensor:
    _warn_of_broadcast(input, target)
    word = reduction_word(reduction, size_average, reduce)
    input, target = torch.broadcast_tensors(input, target)
    if beta == 0.0:
        return torch._C._nn.l1_loss(input, target, reduction_code(word))
    return torch._C._nn.smooth_l1_loss(input, target, reduction_code(word), beta)


def huber_loss(input: Tensor, target: Tensor, reduction: str = 'mean', delta: float = 1.0,
               weight: Tensor | None = None) -> Tensor:
    _warn_of_broadcast(input, target)
    wide, wide_target = torch.broadcast_tensors(input, target)
    if weight is None:
        return torch._C._nn.huber_loss(wide, wide_target, reduction_code(reduction), delta)
    _check_weight(input, weight)
    errors = torch._C._nn.huber_loss(wide, wide_target, 0, delta)
    return _weighted(errors, weight, reduction, by_weight=False)


def l1_loss(input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None,
            reduction: str = 'mean', weight: Tensor | None = None) -> Tensor:
    _warn_of_broadcast(input, target)
    word = reduction_word(reduction, size_average, reduce)
    wide, wide_target = torch.broadcast_tensors(input, target)
    if weight is None:
        return torch._C._nn.l1_loss(wide, wide_target, reduction_code(word))
    _check_weight(input, weight)
    return _weighted(torch.abs(wide - wide_target), weight, word)


def mse_loss(input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None,
             reduction: str = 'mean', weight: Tensor | None = None) -> Tensor:
    _warn_of_broadcast(input, target)
    word = reduction_word(reduction, size_average, reduce)
    wide, wide_target = torch.broadcast_tensors(input, target)
    if weight is None:
        return torch._C._nn.mse_loss(wide, wide_target, reduction_code(word))
    _check_weight(input, weight)
    return _weighted(torch.pow(wide - wide_target, 2), weight, word)


def margin_ranking_loss(input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0,
                        size_average: bool | None = None, reduce: bool | None = None,
                        reduction: str = 'mean') -> Tensor:
    code = reduction_code(reduction, size_average, reduce)
    if not input1.dim() == input2.dim() == target.dim():
        raise RuntimeError('margin_ranking_loss : All input tensors should have same dimension but got sizes: '
                           f'input1: {input1.size()}, input2: {input2.size()}, target: {target.size()} ')
    return torch.margin_ranking_loss(input1, input2, target, margin, code)


def hinge_embedding_loss(input: Tensor, target: Tensor, margin: float = 1.0, size_average: bool | None = None,
                         reduce: bool | None = None, reduction: str = 'mean') -> Tensor:
    return torch.hinge_embedding_loss(input, target, margin, reduction_code(reduction, size_average, reduce))


def multilabel_margin_loss(input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None,
                           reduction: str = 'mean') -> Tensor:
    return torch._C._nn.multilabel_margin_loss(input, target, reduction_code(reduction, size_average, reduce))


def soft_margin_loss(input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None,
                     reduction: str = 'mean') -> Tensor:
    return torch._C._nn.soft_margin_loss(input, target, reduction_code(reduction, size_average, reduce))


def multilabel_soft_margin_loss(input: Tensor, target: Tensor, weight: Tensor | None = None,
                                size_average: bool | None = None, reduce: bool | None = None,
                                reduction: str = 'mean') -> Tensor:
    word = reduction_word(reduction, size_average, reduce)
    loss = -(target * log_sigmoid(input) + (1 - target) * log_sigmoid(-input))
    if weight is not None:
        loss = loss * weight
    classes = input.dim() - 1
    loss = loss.sum(dim=classes) / input.size(classes)
    _check_word(word, ' is not valid')
    return reduced(loss, word)


def cosine_embedding_loss(input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0,
                          size_average: bool | None = None, reduce: bool | None = None,
                          reduction: str = 'mean') -> Tensor:
    return torch.cosine_embedding_loss(input1, input2, target, margin, reduction_code(reduction, size_average, reduce))


def multi_margin_loss(input: Tensor, target: Tensor, p: int = 1, margin: float = 1.0, weight: Tensor | None = None,
                      size_average: bool | None = None, reduce: bool | None = None, reduction: str = 'mean') -> Tensor:
    code = reduction_code(reduction, size_average, reduce)
    if p not in (1, 2):
        raise ValueError('only p == 1 and p == 2 supported')
    if weight is not None and weight.dim() != 1:
        raise ValueError('weight must be one-dimensional')
    return torch._C._nn.multi_margin_loss(input, target, p, margin, weight, code)


def _check_margin(margin):
    if margin <= 0:
        raise ValueError(f'margin must be greater than 0, got {margin}')


def triplet_margin_loss(anchor: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0, p: float = 2,
                        eps: float = 1e-6, swap: bool = False, size_average: bool | None = None,
                        reduce: bool | None = None, reduction: str = 'mean') -> Tensor:
    code = reduction_code(reduction, size_average, reduce)
    _check_margin(margin)
    return torch.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, code)


def triplet_margin_with_distance_loss(anchor: Tensor, positive: Tensor, negative: Tensor, *,
                                      distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
                                      margin: float = 1.0, swap: bool = False, reduction: str = 'mean') -> Tensor:
    _check_word(reduction, ' is not a valid value for reduction')
    _check_margin(margin)
    dims = anchor.ndim, positive.ndim, negative.ndim
    if not dims[0] == dims[1] == dims[2]:
        raise RuntimeError('The anchor, positive, and negative tensors are expected to have the same number of '
                           f'dimensions, but got: anchor {dims[0]}D, positive {dims[1]}D, and negative {dims[2]}D '
                           'inputs')
    distance = torch.pairwise_distance if distance_function is None else distance_function
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = torch.minimum(far, distance(positive, negative))
    return reduced(torch.clamp_min(margin + near - far, 0), reduction)
