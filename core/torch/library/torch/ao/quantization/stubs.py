# SPDX-License-Identifier: GPL-3.0-or-later
# Where a model's quantized part begins and ends; before the model is converted they do nothing.
from torch import nn

__all__ = ['QuantStub', 'DeQuantStub', 'QuantWrapper']


class _Stub(nn.Module):
    def __init__(self, qconfig=None):
        super().__init__()
        if qconfig:
            self.qconfig = qconfig

    def forward(self, x):
        return x


class QuantStub(_Stub):
    pass


class DeQuantStub(_Stub):
    pass


class QuantWrapper(nn.Module):
    def __init__(self, module):
        super().__init__()
        qconfig = getattr(module, 'qconfig', None)
        self.add_module('quant', QuantStub(qconfig))
        self.add_module('dequant', DeQuantStub(qconfig))
        self.add_module('module', module)
        self.train(module.training)

    def forward(self, X):
        return self.dequant(self.module(self.quant(X)))
