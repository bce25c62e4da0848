# SPDX-License-Identifier: GPL-3.0-or-later
# A linear layer of rounded weights.
import torch.nn.functional as F
from torch import nn

__all__ = ['Linear']


def observe_weight(module, qconfig, **made):
    if not qconfig:
        raise AssertionError('qconfig must be provided for QAT module')
    module.qconfig = qconfig
    module.weight_fake_quant = qconfig.weight(**made)


class Linear(nn.Linear):
    def __init__(self, in_features, out_features, bias=True, qconfig=None, device=None, dtype=None):
        made = {'device': device, 'dtype': dtype}
        super().__init__(in_features, out_features, bias, **made)
        observe_weight(self, qconfig, factory_kwargs=made)

    def forward(self, input):
        return F.linear(input, self.weight_fake_quant(self.weight), self.bias)
