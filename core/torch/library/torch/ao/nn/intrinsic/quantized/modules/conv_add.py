# SPDX-License-Identifier: GPL-3.0-or-later
# A convolution whose result is added to another tensor.
import torch
import torch.ao.nn.quantized.modules.conv as base

__all__ = ['ConvAdd2d', 'ConvAddReLU2d']


class ConvAdd2d(base.Conv2d):
    _operator = '_add'

    def forward(self, input, extra_input):
        operator = getattr(torch.ops.quantized, 'conv2d' + self._operator)
        return operator(self._checked(input), extra_input, self._packed_params, self.scale, self.zero_point)


class ConvAddReLU2d(ConvAdd2d):
    _operator = '_add_relu'
