# SPDX-License-Identifier: GPL-3.0-or-later
# Convolutions with the ReLU after them.
import torch.ao.nn.quantized.modules.conv as base

__all__ = ['ConvReLU1d', 'ConvReLU2d', 'ConvReLU3d']


class ConvReLU1d(base.Conv1d):
    _operator = '_relu'


class ConvReLU2d(base.Conv2d):
    _operator = '_relu'


class ConvReLU3d(base.Conv3d):
    _operator = '_relu'
