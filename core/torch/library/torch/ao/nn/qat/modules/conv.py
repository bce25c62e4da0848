# SPDX-License-Identifier: GPL-3.0-or-later
# Convolutions of rounded weights.
from torch import nn
from .linear import observe_weight

__all__ = ['Conv1d', 'Conv2d', 'Conv3d']


class _ConvNd:
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 padding_mode='zeros', qconfig=None, device=None, dtype=None):
        made = {'device': device, 'dtype': dtype}
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, **made)
        observe_weight(self, qconfig, factory_kwargs=made)

    def forward(self, input):
        return self._conv_forward(input, self.weight_fake_quant(self.weight), self.bias)


class Conv1d(_ConvNd, nn.Conv1d):
    pass


class Conv2d(_ConvNd, nn.Conv2d):
    pass


class Conv3d(_ConvNd, nn.Conv3d):
    pass
