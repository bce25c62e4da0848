# SPDX-License-Identifier: GPL-3.0-or-later
# Convolutions over packed weights. One class does the work; the others say their dimensions and operators.
import torch
import torch.nn.functional as F
from torch.nn.modules.utils import _ntuple
from .utils import OutputRange, Packing, WeightedQuantizedModule, take

__all__ = ['Conv1d', 'Conv2d', 'Conv3d', 'ConvTranspose1d', 'ConvTranspose2d', 'ConvTranspose3d']

_STATE = ('in_channels', 'out_channels', 'kernel_size', 'stride', 'padding', 'dilation', 'transposed', 'output_padding',
          'groups', 'padding_mode')
_LETTERS = {1: 'L', 2: 'H, W', 3: 'D, H, W'}


def _reverse_repeat_padding(padding):
    return [size for size in reversed(padding) for _ in range(2)]


class _ConvNd(Packing, OutputRange, WeightedQuantizedModule):
    _dims = 2
    _operator = ''
    transposed = False

    def _init(self, in_channels, out_channels, kernel_size, stride, padding, dilation, transposed, output_padding, groups, bias,
              padding_mode='zeros', device=None, dtype=None):
        super().__init__()
        if out_channels <= 0:
            raise ValueError(f'out_channels must be greater than 0, got {out_channels}')
        for name, channels in (('in_channels', in_channels), ('out_channels', out_channels)):
            if channels % groups != 0:
                raise ValueError(f'{name} must be divisible by groups')
        sized = _ntuple(self._dims)
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = sized(kernel_size)
        self.stride = sized(stride)
        self.padding = padding if isinstance(padding, str) else sized(padding)
        self.dilation = sized(dilation)
        self.transposed = transposed
        self.output_padding = sized(output_padding)
        self.groups = groups
        if padding_mode not in ('zeros', 'reflect'):
            raise ValueError(f"'padding_mode' {padding_mode} is not supported by quantized convolution")
        self.padding_mode = padding_mode
        first, second = (in_channels, out_channels) if transposed else (out_channels, in_channels)
        weight = torch._empty_affine_quantized([first, second // groups, *self.kernel_size], scale=1, zero_point=0,
                                               dtype=torch.qint8, device=device)
        self._hold(weight, torch.zeros(out_channels, dtype=torch.float, device=device) if bias else None)
        self.scale = 1.0
        self.zero_point = 0

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 padding_mode='zeros', device=None, dtype=None):
        self._init(in_channels, out_channels, kernel_size, stride, padding, dilation, False, 0, groups, bias, padding_mode,
                   device, dtype)

    def set_weight_bias(self, w, b):
        self._hold(w, b)

    def _pack(self, weight, bias):
        prepack = getattr(torch.ops.quantized, f'conv{self._dims}d_prepack')
        padding = self.padding if self.padding_mode == 'zeros' else (0,) * max(self._dims, 2)
        return prepack(weight, bias, self.stride, padding, self.dilation, self.groups)

    def _unpack(self, state):
        _, (_, weight), (bias,) = state
        return weight, bias

    _packed_params = property(Packing._packed, Packing._take_packed)

    def _checked(self, input):
        if len(input.shape) != self._dims + 2:
            raise ValueError(f'Input shape must be `(N, C, {_LETTERS[self._dims]})`!')
        if self.padding_mode != 'zeros':
            input = F.pad(input, _reverse_repeat_padding(self.padding), mode=self.padding_mode)
        return input

    def forward(self, input):
        operator = getattr(torch.ops.quantized, f'conv{self._dims}d{self._operator}')
        return operator(self._checked(input), self._packed_params, self.scale, self.zero_point)

    def _get_name(self):
        return 'Quantized' + type(self).__name__

    def extra_repr(self):
        parts = [str(self.in_channels), str(self.out_channels)]
        parts += [f'{name}={getattr(self, name)}' for name in ('kernel_size', 'stride', 'scale', 'zero_point')]
        for name, usual in (('padding', 0), ('dilation', 1), ('output_padding', 0)):
            value = getattr(self, name)
            if value != (usual,) * len(value):
                parts.append(f'{name}={value}')
        if self.groups != 1:
            parts.append(f'groups={self.groups}')
        if self.bias() is None:
            parts.append('bias=False')
        return ', '.join(parts)

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        super()._save_to_state_dict(destination, prefix, keep_vars)
        destination[prefix + 'weight'], destination[prefix + 'bias'] = self._weight_bias()
        self._save_range(destination, prefix)

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, *reports):
        self._hold(*take(state_dict, prefix, 'weight', 'bias'))
        self._load_range(state_dict, prefix)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, False, *reports)

    def __getstate__(self):
        own = [getattr(self, name) for name in _STATE]
        return (*own, self.held_weight, self.held_bias, self.scale, self.zero_point, self.training)

    def __setstate__(self, state):
        if isinstance(state, dict):
            super().__setstate__(state)
            return
        if '_modules' not in self.__dict__:
            torch.nn.Module.__init__(self)
        *own, weight, bias, self.scale, self.zero_point, self.training = state
        for name, value in zip(_STATE, own):
            setattr(self, name, value)
        self._hold(weight, bias)


class Conv1d(_ConvNd):
    _dims = 1


class Conv2d(_ConvNd):
    _dims = 2


class Conv3d(_ConvNd):
    _dims = 3

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 padding_mode='zeros', device=None, dtype=None):
        if padding_mode == 'reflect':
            raise AssertionError('Conv3d does not support reflection padding')
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, device,
                         dtype)


class _ConvTransposeNd(_ConvNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True,
                 dilation=1, padding_mode='zeros', device=None, dtype=None):
        if padding_mode != 'zeros':
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        self._init(in_channels, out_channels, kernel_size, stride, padding, dilation, True, output_padding, groups, bias,
                   padding_mode, device, dtype)

    def _pack(self, weight, bias):
        prepack = getattr(torch.ops.quantized, f'conv_transpose{self._dims}d_prepack')
        return prepack(weight, bias, self.stride, self.padding, self.output_padding, self.dilation, self.groups)

    def forward(self, input):
        operator = getattr(torch.ops.quantized, f'conv_transpose{self._dims}d')
        return operator(self._checked(input), self._packed_params, self.scale, self.zero_point)


class ConvTranspose1d(_ConvTransposeNd):
    _dims = 1


class ConvTranspose2d(_ConvTransposeNd):
    _dims = 2


class ConvTranspose3d(_ConvTransposeNd):
    _dims = 3
