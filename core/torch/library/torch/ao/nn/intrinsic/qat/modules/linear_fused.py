# SPDX-License-Identifier: GPL-3.0-or-later
# A linear layer and the batch normalization after it: the weight is rounded as it will be once both are one.
import torch
import torch.nn.functional as F
from torch import nn
from torch.ao.nn.intrinsic.modules.fused import _FusedModule
from .conv_fused import FusedNorm

__all__ = ['LinearBn1d']


class LinearBn1d(FusedNorm, nn.Linear, _FusedModule):
    def __init__(self, in_features, out_features, bias=True, eps=1e-05, momentum=0.1, freeze_bn=False, qconfig=None):
        nn.Linear.__init__(self, in_features, out_features, bias)
        self._add_norm(nn.BatchNorm1d(out_features, eps, momentum, True, True), bias, out_features, freeze_bn, qconfig)

    def _reset_bias(self):
        pass

    def _apply_weight(self, input, weight, bias):
        return F.linear(input, weight, bias)

    def _zero_bias(self, input, weight):
        if self.bias is not None:
            return torch.zeros_like(self.bias)
        return torch.zeros(self.out_features, device=weight.device)
