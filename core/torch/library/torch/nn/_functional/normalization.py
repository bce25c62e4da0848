# SPDX-License-Identifier: GPL-3.0-or-later
# Normalization and embedding.
import math
import warnings

import torch
from torch import Tensor
from torch._C._nn import avg_pool2d, avg_pool3d
from .sampling import pad


def _verify_batch_size(size: list[int]) -> None:
    if size[0] * math.prod(size[2:]) == 1:
        raise ValueError(f'Expected more than 1 value per channel when training, got input size {size}')


def _verify_spatial_size(size: list[int]) -> None:
    if math.prod(size[2:]) == 1:
        raise ValueError(f'Expected more than 1 spatial element when training, got input size {size}')


def batch_norm(input: Tensor, running_mean: Tensor | None, running_var: Tensor | None, weight: Tensor | None = None,
               bias: Tensor | None = None, training: bool = False, momentum: float = 0.1, eps: float = 1e-5) -> Tensor:
    if training:
        _verify_batch_size(input.size())
    if training and eps <= 0.0:
        raise ValueError(f'batch_norm eps must be positive during training, but got {eps}')
    if eps < 0.0:
        raise ValueError(f'batch_norm eps must be non-negative, but got {eps}')
    return torch.batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, True)


def instance_norm(input: Tensor, running_mean: Tensor | None = None, running_var: Tensor | None = None,
                  weight: Tensor | None = None, bias: Tensor | None = None, use_input_stats: bool = True,
                  momentum: float = 0.1, eps: float = 1e-5) -> Tensor:
    if use_input_stats:
        _verify_spatial_size(input.size())
    return torch.instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, True)


def layer_norm(input: Tensor, normalized_shape: list[int], weight: Tensor | None = None, bias: Tensor | None = None,
               eps: float = 1e-5) -> Tensor:
    return torch.layer_norm(input, normalized_shape, weight, bias, eps, True)


def rms_norm(input: Tensor, normalized_shape: list[int], weight: Tensor | None = None,
             eps: float | None = None) -> Tensor:
    return torch.rms_norm(input, normalized_shape, weight, eps)


def group_norm(input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None,
               eps: float = 1e-5) -> Tensor:
    if input.dim() < 2:
        raise RuntimeError(f'Expected at least 2 dimensions for input tensor but received {input.dim()}')
    size = input.size()
    _verify_batch_size([size[0] * size[1] // num_groups, num_groups, *size[2:]])
    return torch.group_norm(input, num_groups, weight, bias, eps, True)


def local_response_norm(input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Tensor:
    dim = input.dim()
    if dim < 3:
        raise ValueError(f'Expected 3D or higher dimensionality {" " * 25}input (got {dim} dimensions)')
    if input.numel() == 0:
        return input
    # The mean square of the neighbouring channels is a pooling over a dimension of its own.
    before, after = size // 2, (size - 1) // 2
    squares = input.mul(input)
    if dim == 3:
        squares = pad(squares.unsqueeze(1), (0, 0, before, after))
        mean = avg_pool2d(squares, (size, 1), stride=1).squeeze(1)
    else:
        sizes = input.size()
        squares = pad(squares.view(sizes[0], 1, sizes[1], sizes[2], -1), (0, 0, 0, 0, before, after))
        mean = avg_pool3d(squares, (size, 1, 1), stride=1).squeeze(1).view(sizes)
    return input / mean.mul(alpha).add(k).pow(beta)


def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12, out: Tensor | None = None) -> Tensor:
    length = input.norm(p, dim, keepdim=True)
    if out is not None:
        return torch.div(input, length.clamp_min_(eps).expand_as(input), out=out)
    return input / length.clamp_min(eps).expand_as(input)


def embedding(input: Tensor, weight: Tensor, padding_idx: int | None = None, max_norm: float | None = None,
              norm_type: float = 2.0, scale_grad_by_freq: bool = False, sparse: bool = False) -> Tensor:
    if padding_idx is None:
        padding_idx = -1
    else:
        count = weight.size(0)
        if not -count <= padding_idx < count and padding_idx != 0:
            raise AssertionError('Padding_idx must be within num_embeddings')
        padding_idx = padding_idx + count if padding_idx < 0 else padding_idx
    if max_norm is not None:
        input = input.contiguous()
        torch.embedding_renorm_(weight.detach(), input, max_norm, norm_type)
    return torch.embedding(weight, input, padding_idx, scale_grad_by_freq, sparse)


def _bags_of(input, offsets, per_sample_weights):
    # Input and weights as one row, and where its bags begin: a 2D input is a batch of bags of equal length.
    if input.dim() == 2:
        if offsets is not None:
            raise ValueError('if input is 2D, then offsets has to be None, as input is treated is a mini-batch of '
                             f'fixed length sequences. However, found offsets of type {type(offsets)}')
        offsets = torch.arange(0, input.numel(), input.size(1), dtype=input.dtype, device=input.device)
        if per_sample_weights is not None:
            per_sample_weights = per_sample_weights.reshape(-1)
        return input.reshape(-1), offsets, per_sample_weights
    if input.dim() != 1:
        raise ValueError(f'input has to be 1D or 2D Tensor, but got Tensor of dimension {input.dim()}')
    if offsets is None:
        raise ValueError('offsets has to be a 1D Tensor but got None')
    if offsets.dim() != 1:
        raise ValueError('offsets has to be a 1D Tensor')
    return input, offsets, per_sample_weights


def embedding_bag(input: Tensor, weight: Tensor, offsets: Tensor | None = None, max_norm: float | None = None,
                  norm_type: float = 2, scale_grad_by_freq: bool = False, mode: str = 'mean', sparse: bool = False,
                  per_sample_weights: Tensor | None = None, include_last_offset: bool = False,
                  padding_idx: int | None = None) -> Tensor:
    if weight.dtype == torch.long and input.is_floating_point():
        warnings.warn('embedding_bag(weight, input) is deprecated: write embedding_bag(input, weight)')
        weight, input = input, weight
    if per_sample_weights is not None and input.size() != per_sample_weights.size():
        raise ValueError(f'embedding_bag: If per_sample_weights ({per_sample_weights.shape}) is not None, then it must '
                         f'have the same shape as the input ({input.shape})')
    if weight.dim() != 2:
        raise ValueError(f'weight has to be a 2D Tensor, but got Tensor of dimension {weight.dim()}')
    if input.dim() == 2:
        include_last_offset = False
    input, offsets, per_sample_weights = _bags_of(input, offsets, per_sample_weights)
    if mode not in ('sum', 'mean', 'max'):
        raise ValueError('mode has to be one of sum, mean or max')
    if mode == 'max' and scale_grad_by_freq:
        raise ValueError('max mode does not support scaling the gradient by the frequency')
    if mode == 'max' and sparse:
        raise ValueError('max mode does not support sparse weights')
    if max_norm is not None:
        torch.embedding_renorm_(weight.detach(), input, max_norm, norm_type)
    if per_sample_weights is not None and mode != 'sum':
        raise NotImplementedError('embedding_bag: per_sample_weights was not None. per_sample_weights is only '
                                  f"supported for mode='sum' (got mode='{mode}'). Please open a feature request on "
                                  'GitHub.')
    code = ('sum', 'mean', 'max').index(mode)
    output, _, _, _ = torch.embedding_bag(weight, input, offsets, scale_grad_by_freq, code, sparse, per_sample_weights,
                                          include_last_offset, padding_idx)
    return output
