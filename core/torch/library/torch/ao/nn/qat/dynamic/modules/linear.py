# SPDX-License-Identifier: GPL-3.0-or-later
# A linear layer of rounded weights, whose input has no memory.
import torch.ao.nn.qat.modules.linear as base
from torch.ao.quantization.qconfig import _activation_is_memoryless

__all__ = ['Linear']


class Linear(base.Linear):
    def __init__(self, in_features, out_features, bias=True, qconfig=None, device=None, dtype=None):
        super().__init__(in_features, out_features, bias, qconfig, device, dtype)
        if not _activation_is_memoryless(qconfig):
            raise ValueError('Dynamic QAT requires a memoryless observer.This means a MovingAverage observer with averaging '
                             'constant equal to 1')
