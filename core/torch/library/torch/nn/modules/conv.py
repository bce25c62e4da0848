# SPDX-License-Identifier: GPL-3.0-or-later
# Convolutions over 1, 2 and 3 dimensions, plain, transposed and lazy.
import math
import torch
from torch import Tensor
from torch.nn import functional as F, init
from torch.nn.parameter import Parameter, UninitializedParameter
from .lazy import LazyModuleMixin
from .linear import _own_bias, _spread_bias
from .module import Module
from .utils import _fields, _fields_if, _pair, _reverse_repeat_tuple, _single, _triple

__all__ = ['Conv1d', 'Conv2d', 'Conv3d', 'ConvTranspose1d', 'ConvTranspose2d', 'ConvTranspose3d', 'LazyConv1d', 'LazyConv2d',
           'LazyConv3d', 'LazyConvTranspose1d', 'LazyConvTranspose2d', 'LazyConvTranspose3d']


class _ConvNd(Module):
    __constants__ = ['stride', 'padding', 'dilation', 'groups', 'padding_mode', 'output_padding', 'in_channels',
                     'out_channels', 'kernel_size']

    def __init__(self, in_channels, out_channels, kernel_size, stride, padding, dilation, transposed, output_padding, groups,
                 bias, padding_mode, device=None, dtype=None):
        super().__init__()
        if groups <= 0:
            raise ValueError('groups must be a positive integer')
        for name, channels in (('in', in_channels), ('out', out_channels)):
            if channels % groups != 0:
                raise ValueError(f'{name}_channels must be divisible by groups')
        if isinstance(padding, str):
            words = {'same', 'valid'}
            if padding not in words:
                raise ValueError(f'Invalid padding string {padding!r}, should be one of {words}')
            if padding == 'same' and any(step != 1 for step in stride):
                raise ValueError("padding='same' is not supported for strided convolutions")
        modes = {'zeros', 'reflect', 'replicate', 'circular'}
        if padding_mode not in modes:
            raise ValueError(f"padding_mode must be one of {modes}, but got padding_mode='{padding_mode}'")
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.transposed = transposed
        self.output_padding = output_padding
        self.groups = groups
        self.padding_mode = padding_mode
        self._reversed_padding_repeated_twice = self._sides()
        self.weight = Parameter(torch.empty(self._weight_shape(), device=device, dtype=dtype))
        _own_bias(self, out_channels, bias, device, dtype)
        self.reset_parameters()

    def _sides(self):
        # Padding as F.pad reads it: two numbers for each dimension, the last dimension first.
        if not isinstance(self.padding, str):
            return _reverse_repeat_tuple(self.padding, 2)
        sides = []
        for step, length in zip(self.dilation[::-1], self.kernel_size[::-1]):
            total = step * (length - 1) if self.padding == 'same' else 0
            sides += [total // 2, total - total // 2]
        return sides

    def _weight_shape(self):
        ends = [self.out_channels, self.in_channels // self.groups]
        if self.transposed:
            ends = [self.in_channels, self.out_channels // self.groups]
        return (*ends, *self.kernel_size)

    def reset_parameters(self):
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        _spread_bias(self)

    def extra_repr(self):
        text = f'{self.in_channels}, {self.out_channels}, {_fields(self, "kernel_size", "stride")}'
        text += _fields_if(self, padding=(0,) * len(self.padding), dilation=(1,) * len(self.dilation),
                           output_padding=(0,) * len(self.output_padding), groups=1)
        return text + (', bias=False' if self.bias is None else '') + _fields_if(self, padding_mode='zeros')

    def __setstate__(self, state):
        super().__setstate__(state)
        if not hasattr(self, 'padding_mode'):
            self.padding_mode = 'zeros'

    def _convolved(self, function, input, weight, bias):
        if self.padding_mode == 'zeros':
            return function(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)
        padded = F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode)
        return function(padded, weight, bias, self.stride, (0,) * len(self.kernel_size), self.dilation, self.groups)


def _sizes(tuple_of, *sizes):
    return [size if isinstance(size, str) else tuple_of(size) for size in sizes]


class Conv1d(_ConvNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 padding_mode='zeros', device=None, dtype=None):
        super().__init__(in_channels, out_channels, *_sizes(_single, kernel_size, stride, padding, dilation), False,
                         _single(0), groups, bias, padding_mode, device=device, dtype=dtype)

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None):
        return self._convolved(F.conv1d, input, weight, bias)

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)


class Conv2d(_ConvNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 padding_mode='zeros', device=None, dtype=None):
        super().__init__(in_channels, out_channels, *_sizes(_pair, kernel_size, stride, padding, dilation), False,
                         _pair(0), groups, bias, padding_mode, device=device, dtype=dtype)

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None):
        return self._convolved(F.conv2d, input, weight, bias)

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)


class Conv3d(_ConvNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 padding_mode='zeros', device=None, dtype=None):
        super().__init__(in_channels, out_channels, *_sizes(_triple, kernel_size, stride, padding, dilation), False,
                         _triple(0), groups, bias, padding_mode, device=device, dtype=dtype)

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None):
        return self._convolved(F.conv3d, input, weight, bias)

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)


class _ConvTransposeNd(_ConvNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride, padding, dilation, transposed, output_padding, groups,
                 bias, padding_mode, device=None, dtype=None):
        if padding_mode != 'zeros':
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, transposed, output_padding, groups,
                         bias, padding_mode, device=device, dtype=dtype)

    def _output_padding(self, input, output_size, stride, padding, kernel_size, num_spatial_dims, dilation=None):
        if output_size is None:
            return _single(self.output_padding)
        lead = 2 if input.dim() == num_spatial_dims + 2 else 1
        if len(output_size) == lead + num_spatial_dims:
            output_size = output_size[lead:]
        if len(output_size) != num_spatial_dims:
            raise ValueError(f'ConvTranspose{num_spatial_dims}D: for {input.dim()}D input, output_size must have '
                             f'{num_spatial_dims} or {lead + num_spatial_dims} elements (got {len(output_size)})')
        smallest = []
        for place in range(num_spatial_dims):
            reach = (1 if dilation is None else dilation[place]) * (kernel_size[place] - 1)
            smallest.append((input.size(place + lead) - 1) * stride[place] - 2 * padding[place] + reach + 1)
        largest = [size + step - 1 for size, step in zip(smallest, stride)]
        for size, low, high in zip(output_size, smallest, largest):
            if size < low or size > high:
                raise ValueError(f'requested an output size of {output_size}, but valid sizes range from {smallest} to '
                                 f'{largest} (for an input of {input.size()[2:]})')
        return [size - low for size, low in zip(output_size, smallest)]

    def _transposed(self, function, input, output_size):
        dims = len(self.kernel_size)
        if self.padding_mode != 'zeros':
            raise ValueError(f'Only `zeros` padding mode is supported for ConvTranspose{dims}d')
        if not isinstance(self.padding, tuple):
            raise AssertionError('self.padding must be a tuple')
        extra = self._output_padding(input, output_size, self.stride, self.padding, self.kernel_size, dims, self.dilation)
        return function(input, self.weight, self.bias, self.stride, self.padding, extra, self.groups, self.dilation)


class ConvTranspose1d(_ConvTransposeNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True,
                 dilation=1, padding_mode='zeros', device=None, dtype=None):
        super().__init__(in_channels, out_channels, *map(_single, (kernel_size, stride, padding, dilation)), True,
                         _single(output_padding), groups, bias, padding_mode, device=device, dtype=dtype)

    def forward(self, input: Tensor, output_size: list[int] | None = None) -> Tensor:
        return self._transposed(F.conv_transpose1d, input, output_size)


class ConvTranspose2d(_ConvTransposeNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True,
                 dilation=1, padding_mode='zeros', device=None, dtype=None):
        super().__init__(in_channels, out_channels, *map(_pair, (kernel_size, stride, padding, dilation)), True,
                         _pair(output_padding), groups, bias, padding_mode, device=device, dtype=dtype)

    def forward(self, input: Tensor, output_size: list[int] | None = None) -> Tensor:
        return self._transposed(F.conv_transpose2d, input, output_size)


class ConvTranspose3d(_ConvTransposeNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True,
                 dilation=1, padding_mode='zeros', device=None, dtype=None):
        super().__init__(in_channels, out_channels, *map(_triple, (kernel_size, stride, padding, dilation)), True,
                         _triple(output_padding), groups, bias, padding_mode, device=device, dtype=dtype)

    def forward(self, input: Tensor, output_size: list[int] | None = None) -> Tensor:
        return self._transposed(F.conv_transpose3d, input, output_size)


class _LazyConvXdMixin(LazyModuleMixin):
    def reset_parameters(self):
        if not self.has_uninitialized_params() and self.in_channels != 0:
            super().reset_parameters()

    def _be_lazy(self, out_channels, bias, device, dtype):
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_channels = out_channels
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def initialize_parameters(self, input, *args, **kwargs):
        if self.has_uninitialized_params():
            self.in_channels = self._get_in_channels(input)
            if self.in_channels % self.groups != 0:
                raise ValueError('in_channels must be divisible by groups')
            self._materialize(weight=self._weight_shape(), bias=(self.out_channels,))
            self.reset_parameters()

    def _get_in_channels(self, input):
        single = self._get_num_spatial_dims() + 1
        if input.dim() not in (single, single + 1):
            raise RuntimeError(f'Expected {single}D (unbatched) or {single + 1}D (batched) input to {type(self).__name__}, '
                               f'but got input of size: {input.shape}')
        return input.shape[input.dim() - single]

    def _get_num_spatial_dims(self):
        return len(self.kernel_size)


class LazyConv1d(_LazyConvXdMixin, Conv1d):
    cls_to_become = Conv1d

    def __init__(self, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode='zeros',
                 device=None, dtype=None):
        super().__init__(0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode, device, dtype)
        self._be_lazy(out_channels, bias, device, dtype)


class LazyConv2d(_LazyConvXdMixin, Conv2d):
    cls_to_become = Conv2d

    def __init__(self, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode='zeros',
                 device=None, dtype=None):
        super().__init__(0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode, device, dtype)
        self._be_lazy(out_channels, bias, device, dtype)


class LazyConv3d(_LazyConvXdMixin, Conv3d):
    cls_to_become = Conv3d

    def __init__(self, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode='zeros',
                 device=None, dtype=None):
        super().__init__(0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode, device, dtype)
        self._be_lazy(out_channels, bias, device, dtype)


class LazyConvTranspose1d(_LazyConvXdMixin, ConvTranspose1d):
    cls_to_become = ConvTranspose1d

    def __init__(self, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1,
                 padding_mode='zeros', device=None, dtype=None):
        super().__init__(0, 0, kernel_size, stride, padding, output_padding, groups, False, dilation, padding_mode, device, dtype)
        self._be_lazy(out_channels, bias, device, dtype)


class LazyConvTranspose2d(_LazyConvXdMixin, ConvTranspose2d):
    cls_to_become = ConvTranspose2d

    def __init__(self, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1,
                 padding_mode='zeros', device=None, dtype=None):
        super().__init__(0, 0, kernel_size, stride, padding, output_padding, groups, False, dilation, padding_mode, device, dtype)
        self._be_lazy(out_channels, bias, device, dtype)


class LazyConvTranspose3d(_LazyConvXdMixin, ConvTranspose3d):
    cls_to_become = ConvTranspose3d

    def __init__(self, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1,
                 padding_mode='zeros', device=None, dtype=None):
        super().__init__(0, 0, kernel_size, stride, padding, output_padding, groups, False, dilation, padding_mode, device, dtype)
        self._be_lazy(out_channels, bias, device, dtype)
