# SPDX-License-Identifier: GPL-3.0-or-later
# Linear layers with the activation after them.
import torch
import torch.ao.nn.quantized.modules.linear as base

__all__ = ['LinearReLU', 'LinearLeakyReLU', 'LinearTanh']


class LinearReLU(base.Linear):
    def __init__(self, in_features, out_features, bias=True, dtype=torch.qint8):
        super().__init__(in_features, out_features, bias, dtype)

    def forward(self, x):
        return self._compute(torch.ops.quantized.linear_relu, x)

    def _get_name(self):
        return 'QuantizedLinearReLU'


class LinearLeakyReLU(base.Linear):
    def __init__(self, in_features, out_features, negative_slope, bias=True, dtype=torch.qint8):
        super().__init__(in_features, out_features, bias, dtype)
        self.negative_slope = negative_slope

    def forward(self, x):
        return self._compute(torch.ops.quantized.linear_leaky_relu, x, self.negative_slope)

    def _get_name(self):
        return 'QuantizedLinearLeakyReLU'


class LinearTanh(base.Linear):
    def __init__(self, in_features, out_features, bias=True, dtype=torch.qint8):
        super().__init__(in_features, out_features, bias, dtype)

    def forward(self, x):
        return self._compute(torch.ops.quantized.linear_tanh, x)

    def _get_name(self):
        return 'QuantizedLinearTanh'
