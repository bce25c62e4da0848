# SPDX-License-Identifier: GPL-3.0-or-later
# Activations, softmaxes and dropouts.
import warnings

import torch
from torch import Tensor
from .common import check_probability


def _threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    return (torch.threshold_ if inplace else torch.threshold)(input, threshold, value)


threshold = _threshold


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    return (torch.relu_ if inplace else torch.relu)(input)


def glu(input: Tensor, dim: int = -1) -> Tensor:
    if input.dim() == 0:
        raise RuntimeError('glu does not support scalars because halving size must be even')
    return torch._C._nn.glu(input, dim)


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    if min_val > max_val:
        raise ValueError('min_val cannot be greater than max_val')
    return (torch._C._nn.hardtanh_ if inplace else torch._C._nn.hardtanh)(input, min_val, max_val)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    return (torch._C._nn.relu6_ if inplace else torch._C._nn.relu6)(input)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    return (torch._C._nn.elu_ if inplace else torch._C._nn.elu)(input, alpha)


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    return (torch.selu_ if inplace else torch.selu)(input)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    return (torch.celu_ if inplace else torch.celu)(input, alpha)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    return (torch._C._nn.leaky_relu_ if inplace else torch._C._nn.leaky_relu)(input, negative_slope)


def rrelu(input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False,
          inplace: bool = False) -> Tensor:
    return (torch.rrelu_ if inplace else torch.rrelu)(input, lower, upper, training)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    return (torch._C._nn.hardsigmoid_ if inplace else torch._C._nn.hardsigmoid)(input)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    return (torch._C._nn.silu_ if inplace else torch._C._nn.silu)(input)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    return (torch._C._nn.mish_ if inplace else torch._C._nn.mish)(input)


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    return (torch._C._nn.hardswish_ if inplace else torch._C._nn.hardswish)(input)


def tanh(input):
    return input.tanh()


def sigmoid(input):
    return input.sigmoid()


def tanhshrink(input):
    return input - input.tanh()


def softsign(input):
    return input / (input.abs() + 1)


def _get_softmax_dim(name: str, ndim: int, stacklevel: int) -> int:
    warnings.warn(f'{name} without dim is deprecated: its dimension is guessed', stacklevel=stacklevel)
    return 0 if ndim in (0, 1, 3) else 1


def _softmax_along(name, method, input, dim, stacklevel, dtype):
    if dim is None:
        dim = _get_softmax_dim(name, input.dim(), stacklevel)
    return method(dim) if dtype is None else method(dim, dtype=dtype)


def softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: int | None = None) -> Tensor:
    return _softmax_along('softmax', input.softmax, input, dim, _stacklevel, dtype)


def softmin(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: int | None = None) -> Tensor:
    return _softmax_along('softmin', (-input).softmax, input, dim, _stacklevel, dtype)


def log_softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: int | None = None) -> Tensor:
    return _softmax_along('log_softmax', input.log_softmax, input, dim, _stacklevel, dtype)


def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Tensor:
    if eps != 1e-10:
        warnings.warn('eps is deprecated and has no effect')
    noise = -torch.empty_like(logits, memory_format=torch.contiguous_format).exponential_().log()
    soft = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return soft
    # One-hot forwards, and the gradient of the soft sample backwards.
    winner = soft.max(dim, keepdim=True)[1]
    one_hot = torch.zeros_like(logits, memory_format=torch.contiguous_format).scatter_(dim, winner, 1.0)
    return one_hot - soft.detach() + soft


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    check_probability(p)
    return (torch.dropout_ if inplace else torch.dropout)(input, p, training)


def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    check_probability(p)
    return (torch.alpha_dropout_ if inplace else torch.alpha_dropout)(input, p, training)


def feature_alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    check_probability(p)
    return (torch.feature_alpha_dropout_ if inplace else torch.feature_alpha_dropout)(input, p, training)


def _drop_channels(input, p, training, inplace, batched):
    if not batched:
        input = input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    result = (torch.feature_dropout_ if inplace else torch.feature_dropout)(input, p, training)
    if not batched:
        result = result.squeeze_(0) if inplace else result.squeeze(0)
    return result


def dropout1d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    check_probability(p)
    count = input.dim()
    if count not in (2, 3):
        raise RuntimeError(f'dropout1d: Expected 2D or 3D input, but received a {count}D input. '
                           'Note that dropout1d exists to provide channel-wise dropout on inputs with 1 spatial '
                           'dimension, a channel dimension, and an optional batch dimension (i.e. 2D or 3D inputs).')
    return _drop_channels(input, p, training, inplace, count == 3)


def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    check_probability(p)
    count = input.dim()
    if count not in (3, 4):
        warnings.warn(f'dropout2d of a {count}-D input is deprecated: use dropout')
    if count == 3:
        warnings.warn('dropout2d takes a 3D input for a batch of 1D signals, which may change: use dropout1d for those')
    return (torch.feature_dropout_ if inplace else torch.feature_dropout)(input, p, training)


def dropout3d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    check_probability(p)
    count = input.dim()
    if count not in (4, 5):
        warnings.warn(f'dropout3d of a {count}-D input is deprecated: use dropout')
    return _drop_channels(input, p, training, inplace, count == 5)
