# SPDX-License-Identifier: GPL-3.0-or-later
# Normalization over features, groups of channels, and neighbours.
import torch
from torch import Tensor
from torch.nn import functional as F, init
from torch.nn.parameter import Parameter
from ._functions import cross_map_lrn2d
from .module import Module
from .utils import _fields

__all__ = ['LocalResponseNorm', 'CrossMapLRN2d', 'LayerNorm', 'GroupNorm', 'RMSNorm']


class _Affine(Module):
    # What layer, group and RMS normalization share: a weight of ones and a bias of zeros, either of them perhaps absent.
    def _own(self, shape, device, dtype, **wanted):
        for name, there in wanted.items():
            self.register_parameter(name, Parameter(torch.empty(shape, device=device, dtype=dtype)) if there else None)
        self.reset_parameters()

    def reset_parameters(self):
        if self.weight is not None:
            init.ones_(self.weight)
        if self._parameters.get('bias') is not None:
            init.zeros_(self.bias)


class _Neighbours(Module):
    def __init__(self, size, alpha, beta, k):
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def extra_repr(self):
        return f'{self.size}, {_fields(self, "alpha", "beta", "k")}'


class LocalResponseNorm(_Neighbours):
    __constants__ = ['size', 'alpha', 'beta', 'k']

    def __init__(self, size, alpha=1e-4, beta=0.75, k=1.0):
        super().__init__(size, alpha, beta, k)

    def forward(self, input: Tensor) -> Tensor:
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)


class CrossMapLRN2d(_Neighbours):
    def __init__(self, size, alpha=1e-4, beta=0.75, k=1):
        super().__init__(size, alpha, beta, k)

    def forward(self, input: Tensor) -> Tensor:
        return cross_map_lrn2d(input, self.size, self.alpha, self.beta, self.k)


def _shape(lengths):
    return (lengths,) if isinstance(lengths, int) else tuple(lengths)


class LayerNorm(_Affine):
    __constants__ = ['normalized_shape', 'eps', 'elementwise_affine']

    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, device=None, dtype=None):
        super().__init__()
        self.normalized_shape = _shape(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        self._own(self.normalized_shape, device, dtype, weight=elementwise_affine, bias=elementwise_affine and bias)

    def forward(self, input: Tensor) -> Tensor:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return f'{self.normalized_shape}, {_fields(self, "eps", "elementwise_affine")}, bias={self.bias is not None}'


class GroupNorm(_Affine):
    __constants__ = ['num_groups', 'num_channels', 'eps', 'affine']

    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, device=None, dtype=None, *, bias=True):
        super().__init__()
        if num_channels % num_groups != 0:
            raise ValueError(f'num_channels ({num_channels}) must be divisible by num_groups ({num_groups})')
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        self._own(num_channels, device, dtype, weight=affine, bias=affine and bias)

    def forward(self, input: Tensor) -> Tensor:
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return f'{self.num_groups}, {self.num_channels}, {_fields(self, "eps", "affine")}, bias={self.bias is not None}'


class RMSNorm(_Affine):
    __constants__ = ['normalized_shape', 'eps', 'elementwise_affine']

    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        super().__init__()
        self.normalized_shape = _shape(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        self._own(self.normalized_shape, device, dtype, weight=elementwise_affine)

    def forward(self, x: Tensor) -> Tensor:
        return F.rms_norm(x, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self):
        return f'{self.normalized_shape}, {_fields(self, "eps", "elementwise_affine")}'
