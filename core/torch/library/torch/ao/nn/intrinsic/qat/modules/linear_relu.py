# SPDX-License-Identifier: GPL-3.0-or-later
# A linear layer of rounded weights with the ReLU after it.
import torch.ao.nn.qat.modules.linear as base
import torch.nn.functional as F
from torch.ao.nn.intrinsic.modules.fused import _FusedModule

__all__ = ['LinearReLU']


class LinearReLU(base.Linear, _FusedModule):
    def __init__(self, in_features, out_features, bias=True, qconfig=None):
        super().__init__(in_features, out_features, bias, qconfig)

    def forward(self, input):
        return F.relu(super().forward(input))
