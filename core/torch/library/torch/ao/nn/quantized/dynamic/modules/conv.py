# SPDX-License-Identifier: GPL-3.0-or-later
# Convolutions that quantize what they are given by its own range.
import warnings
import torch
import torch.ao.nn.quantized.modules.conv as base

__all__ = ['Conv1d', 'Conv2d', 'Conv3d', 'ConvTranspose1d', 'ConvTranspose2d', 'ConvTranspose3d']


class _Dynamic:
    def __init__(self, *args, reduce_range=True, **kwargs):
        warnings.warn(f'The current implementation of the {self._get_name()} module has poor numerical accuracy and its use is '
                      'not recommended', stacklevel=2)
        super().__init__(*args, **kwargs)

    def forward(self, input, reduce_range=True):
        kind = 'conv_transpose' if self.transposed else 'conv'
        operator = getattr(torch.ops.quantized, f'{kind}{self._dims}d_dynamic')
        return operator(self._checked(input), self._packed_params, reduce_range)

    def _get_name(self):
        return 'DynamicQuantized' + type(self).__name__


class Conv1d(_Dynamic, base.Conv1d):
    pass


class Conv2d(_Dynamic, base.Conv2d):
    pass


class Conv3d(_Dynamic, base.Conv3d):
    pass


class ConvTranspose1d(_Dynamic, base.ConvTranspose1d):
    pass


class ConvTranspose2d(_Dynamic, base.ConvTranspose2d):
    pass


class ConvTranspose3d(_Dynamic, base.ConvTranspose3d):
    pass
