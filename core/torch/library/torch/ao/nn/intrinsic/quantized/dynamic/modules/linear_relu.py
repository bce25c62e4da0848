# SPDX-License-Identifier: GPL-3.0-or-later
# A linear layer with the ReLU after it.
import torch
import torch.ao.nn.quantized.dynamic.modules.linear as base

__all__ = ['LinearReLU']


class LinearReLU(base.Linear):
    _operator = 'linear_relu'

    def __init__(self, in_features, out_features, bias=True, dtype=torch.qint8):
        super().__init__(in_features, out_features, bias, dtype)

    def _get_name(self):
        return 'DynamicQuantizedLinearReLU'
