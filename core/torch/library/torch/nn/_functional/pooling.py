# SPDX-License-Identifier: GPL-3.0-or-later
# Pooling and its inverse; fold and unfold.
import math

import torch
from torch import Tensor
from torch._C._nn import avg_pool2d, avg_pool3d
from .common import by_flag, for_each_dim, sizes_or_defaults


def _pool_args(input, kernel_size, stride, padding, dilation, ceil_mode):
    return input, kernel_size, [] if stride is None else stride, padding, dilation, ceil_mode


def max_pool1d_with_indices(input: Tensor, kernel_size: None, stride: type(None) = None, padding: None = 0,
                            dilation: None = 1, ceil_mode: bool = False,
                            return_indices: bool = False) -> tuple[Tensor, Tensor]:
    return torch.max_pool1d_with_indices(*_pool_args(input, kernel_size, stride, padding, dilation, ceil_mode))


def _max_pool1d(input: Tensor, kernel_size: None, stride: type(None) = None, padding: None = 0, dilation: None = 1,
                ceil_mode: bool = False, return_indices: bool = False) -> Tensor:
    return torch.max_pool1d(*_pool_args(input, kernel_size, stride, padding, dilation, ceil_mode))


def max_pool2d_with_indices(input: Tensor, kernel_size: None, stride: type(None) = None, padding: None = 0,
                            dilation: None = 1, ceil_mode: bool = False,
                            return_indices: bool = False) -> tuple[Tensor, Tensor]:
    return torch._C._nn.max_pool2d_with_indices(
        *_pool_args(input, kernel_size, stride, padding, dilation, ceil_mode))


def _max_pool2d(input: Tensor, kernel_size: None, stride: type(None) = None, padding: None = 0, dilation: None = 1,
                ceil_mode: bool = False, return_indices: bool = False) -> Tensor:
    return torch.max_pool2d(*_pool_args(input, kernel_size, stride, padding, dilation, ceil_mode))


def max_pool3d_with_indices(input: Tensor, kernel_size: None, stride: type(None) = None, padding: None = 0,
                            dilation: None = 1, ceil_mode: bool = False,
                            return_indices: bool = False) -> tuple[Tensor, Tensor]:
    return torch._C._nn.max_pool3d_with_indices(
        *_pool_args(input, kernel_size, stride, padding, dilation, ceil_mode))


def _max_pool3d(input: Tensor, kernel_size: None, stride: type(None) = None, padding: None = 0, dilation: None = 1,
                ceil_mode: bool = False, return_indices: bool = False) -> Tensor:
    return torch.max_pool3d(*_pool_args(input, kernel_size, stride, padding, dilation, ceil_mode))


max_pool1d = by_flag('return_indices', 6, max_pool1d_with_indices, _max_pool1d)
max_pool2d = by_flag('return_indices', 6, max_pool2d_with_indices, _max_pool2d)
max_pool3d = by_flag('return_indices', 6, max_pool3d_with_indices, _max_pool3d)


def adaptive_max_pool1d_with_indices(input: Tensor, output_size: None,
                                     return_indices: bool = False) -> tuple[Tensor, Tensor]:
    return torch.adaptive_max_pool1d(input, output_size)


def _adaptive_max_pool1d(input: Tensor, output_size: None, return_indices: bool = False) -> Tensor:
    return adaptive_max_pool1d_with_indices(input, output_size)[0]


def adaptive_max_pool2d_with_indices(input: Tensor, output_size: None,
                                     return_indices: bool = False) -> tuple[Tensor, Tensor]:
    return torch._C._nn.adaptive_max_pool2d(input, sizes_or_defaults(output_size, input.size()))


def _adaptive_max_pool2d(input: Tensor, output_size: None, return_indices: bool = False) -> Tensor:
    return adaptive_max_pool2d_with_indices(input, output_size)[0]


def adaptive_max_pool3d_with_indices(input: Tensor, output_size: None,
                                     return_indices: bool = False) -> tuple[Tensor, Tensor]:
    return torch._C._nn.adaptive_max_pool3d(input, sizes_or_defaults(output_size, input.size()))


def _adaptive_max_pool3d(input: Tensor, output_size: None, return_indices: bool = False) -> Tensor:
    return adaptive_max_pool3d_with_indices(input, output_size)[0]


adaptive_max_pool1d = by_flag('return_indices', 2, adaptive_max_pool1d_with_indices, _adaptive_max_pool1d)
adaptive_max_pool2d = by_flag('return_indices', 2, adaptive_max_pool2d_with_indices, _adaptive_max_pool2d)
adaptive_max_pool3d = by_flag('return_indices', 2, adaptive_max_pool3d_with_indices, _adaptive_max_pool3d)


def adaptive_avg_pool2d(input: Tensor, output_size: None) -> Tensor:
    return torch._C._nn.adaptive_avg_pool2d(input, sizes_or_defaults(output_size, input.size()))


def adaptive_avg_pool3d(input: Tensor, output_size: None) -> Tensor:
    return torch._C._nn.adaptive_avg_pool3d(input, sizes_or_defaults(output_size, input.size()))


def _fractional_max_pool(pool, name, count, input, kernel_size, output_size, output_ratio, samples):
    if output_size is None:
        if output_ratio is None:
            raise ValueError(f'{name} requires specifying either an output_size or an output_ratio')
        if count == 2 and len(output_ratio) > 2:
            raise ValueError(f'{name} requires output_ratio to either be a single Int or tuple of Ints.')
        ratios = for_each_dim(output_ratio, count)
        output_size = [int(input.size(dim - count) * ratios[dim]) for dim in range(count)]
    if samples is None:
        batch = 1 if input.dim() == count + 1 else input.size(0)
        samples = torch.rand(batch, input.size(-count - 1), count, dtype=input.dtype, device=input.device)
    return pool(input, kernel_size, output_size, samples)


def fractional_max_pool2d_with_indices(input: Tensor, kernel_size: None, output_size: type(None) = None,
                                       output_ratio: type(None) = None, return_indices: bool = False,
                                       _random_samples: Tensor | None = None) -> tuple[Tensor, Tensor]:
    return _fractional_max_pool(torch._C._nn.fractional_max_pool2d, 'fractional_max_pool2d', 2, input, kernel_size,
                                output_size, output_ratio, _random_samples)


def _fractional_max_pool2d(input: Tensor, kernel_size: None, output_size: type(None) = None,
                          output_ratio: type(None) = None, return_indices: bool = False,
                          _random_samples: Tensor | None = None) -> Tensor:
    return fractional_max_pool2d_with_indices(input, kernel_size, output_size, output_ratio, return_indices,
                                              _random_samples)[0]


def fractional_max_pool3d_with_indices(input: Tensor, kernel_size: None, output_size: type(None) = None,
                                       output_ratio: type(None) = None, return_indices: bool = False,
                                       _random_samples: Tensor | None = None) -> tuple[Tensor, Tensor]:
    return _fractional_max_pool(torch._C._nn.fractional_max_pool3d, 'fractional_max_pool3d', 3, input, kernel_size,
                                output_size, output_ratio, _random_samples)


def _fractional_max_pool3d(input: Tensor, kernel_size: None, output_size: type(None) = None,
                          output_ratio: type(None) = None, return_indices: bool = False,
                          _random_samples: Tensor | None = None) -> Tensor:
    return fractional_max_pool3d_with_indices(input, kernel_size, output_size, output_ratio, return_indices,
                                              _random_samples)[0]


fractional_max_pool2d = by_flag('return_indices', 4, fractional_max_pool2d_with_indices, _fractional_max_pool2d)
fractional_max_pool3d = by_flag('return_indices', 4, fractional_max_pool3d_with_indices, _fractional_max_pool3d)


def _unpool_output_size(input: Tensor, kernel_size: list[int], stride: list[int], padding: list[int],
                        output_size: list[int] | None) -> list[int]:
    count = len(kernel_size)
    sizes = input.size()[-count:]
    natural = [(sizes[d] - 1) * stride[d] + kernel_size[d] - 2 * padding[d] for d in range(count)]
    if output_size is None:
        output_size = natural
    else:
        if len(output_size) == count + 2:
            output_size = output_size[2:]
        if len(output_size) != count:
            raise ValueError(f'output_size should be a sequence containing {count} or {count + 2} elements, but it '
                             f"has a length of '{len(output_size)}'")
        for d in range(count):
            least, most = natural[d] - stride[d], natural[d] + stride[d]
            if not least < output_size[d] < most:
                raise ValueError(f'invalid output_size "{output_size}" (dim {d} must be between {least} and {most})')
    for d in range(count):
        if output_size[d] < 0:
            raise ValueError('max_unpooling: output_size must contain non-negative spatial dimensions, but got '
                             f'output_size[{d}]={output_size[d]}')
    return output_size


def _unpool_sizes(count, input, kernel_size, stride, padding, output_size):
    kernel_size = for_each_dim(kernel_size, count)
    stride = kernel_size if stride is None else for_each_dim(stride, count)
    padding = for_each_dim(padding, count)
    return _unpool_output_size(input, kernel_size, stride, padding, output_size), stride, padding


def max_unpool1d(input: Tensor, indices: Tensor, kernel_size: None, stride: type(None) = None, padding: None = 0,
                 output_size: type(None) = None) -> Tensor:
    # A signal is an image of width one.
    sizes, _, _ = _unpool_sizes(1, input, kernel_size, stride, padding, output_size)
    image = torch._C._nn.max_unpool2d(input.unsqueeze(-1), indices.unsqueeze(-1), [*sizes, 1])
    return image.squeeze(-1)


def max_unpool2d(input: Tensor, indices: Tensor, kernel_size: None, stride: type(None) = None, padding: None = 0,
                 output_size: type(None) = None) -> Tensor:
    sizes, _, _ = _unpool_sizes(2, input, kernel_size, stride, padding, output_size)
    return torch._C._nn.max_unpool2d(input, indices, sizes)


def max_unpool3d(input: Tensor, indices: Tensor, kernel_size: None, stride: type(None) = None, padding: None = 0,
                 output_size: type(None) = None) -> Tensor:
    sizes, stride, padding = _unpool_sizes(3, input, kernel_size, stride, padding, output_size)
    return torch._C._nn.max_unpool3d(input, indices, sizes, stride, padding)


def _lp_pool(count, max_pool, avg_pool, input, norm_type, kernel_size, stride, ceil_mode):
    window = kernel_size if count == 1 else math.prod(for_each_dim(kernel_size, count))
    if isinstance(norm_type, (int, float)) and abs(norm_type) == float('inf'):
        sign = 1 if norm_type > 0 else -1
        largest = max_pool(input.abs() if sign > 0 else -input.abs(), kernel_size, stride, 0, 1, ceil_mode)
        return largest if sign > 0 else -largest
    powers = input.pow(norm_type)
    if stride is None:
        mean = avg_pool(powers, kernel_size, padding=0, ceil_mode=ceil_mode)
    else:
        mean = avg_pool(powers, kernel_size, stride, 0, ceil_mode)
    signs = torch.sign(mean)
    return (signs * torch.nn.functional.relu(torch.abs(mean))).mul(window).pow(1.0 / norm_type)


def lp_pool1d(input: Tensor, norm_type: int | float, kernel_size: int, stride: type(None) = None,
              ceil_mode: bool = False) -> Tensor:
    return _lp_pool(1, max_pool1d, torch.avg_pool1d, input, norm_type, kernel_size, stride, ceil_mode)


def lp_pool2d(input: Tensor, norm_type: int | float, kernel_size: None, stride: type(None) = None,
              ceil_mode: bool = False) -> Tensor:
    return _lp_pool(2, max_pool2d, avg_pool2d, input, norm_type, kernel_size, stride, ceil_mode)


def lp_pool3d(input: Tensor, norm_type: int | float, kernel_size: None, stride: type(None) = None,
              ceil_mode: bool = False) -> Tensor:
    return _lp_pool(3, max_pool3d, avg_pool3d, input, norm_type, kernel_size, stride, ceil_mode)


def unfold(input: Tensor, kernel_size: None, dilation: None = 1, padding: None = 0, stride: None = 1) -> Tensor:
    return torch._C._nn.im2col(input, for_each_dim(kernel_size, 2), for_each_dim(dilation, 2),
                               for_each_dim(padding, 2), for_each_dim(stride, 2))


def fold(input: Tensor, output_size: None, kernel_size: None, dilation: None = 1, padding: None = 0,
         stride: None = 1) -> Tensor:
    return torch._C._nn.col2im(input, for_each_dim(output_size, 2), for_each_dim(kernel_size, 2),
                               for_each_dim(dilation, 2), for_each_dim(padding, 2), for_each_dim(stride, 2))
