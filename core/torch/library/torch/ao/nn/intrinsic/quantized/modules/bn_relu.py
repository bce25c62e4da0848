# SPDX-License-Identifier: GPL-3.0-or-later
# Batch normalization with the ReLU after it.
import torch.ao.nn.quantized.modules.batchnorm as base

__all__ = ['BNReLU2d', 'BNReLU3d']


class BNReLU2d(base.BatchNorm2d):
    _operator = '_relu'

    def forward(self, input):
        if len(input.shape) != 4:
            raise ValueError('Input shape must be `(N, C, H, W)`!')
        return super().forward(input)


class BNReLU3d(base.BatchNorm3d):
    _operator = '_relu'

    def forward(self, input):
        if len(input.shape) != 5:
            raise ValueError('Input shape must be `(N, C, D, H, W)`!')
        return super().forward(input)
