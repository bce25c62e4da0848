# SPDX-License-Identifier: GPL-3.0-or-later
# Fake quantisation by scale, zero point, round and clamp; the straight-through way.
# case: {"expr": "QuantNet()", "inputs": "torch.randn(2, 6)"}

import torch
from torch import nn


class FakeQuantize(nn.Module):
    def __init__(self, bits=8):
        super().__init__()
        self.register_buffer("scale", torch.tensor([0.05]))
        self.register_buffer("zero_point", torch.tensor([3]))
        self.low, self.high = 0, 2**bits - 1

    def forward(self, x):
        q = torch.clamp(torch.round(x / self.scale) + self.zero_point, self.low, self.high)
        y = (q - self.zero_point) * self.scale
        return x + (y - x).detach()


class QuantLinear(nn.Linear):
    def __init__(self, *args, bits=4, **kw):
        super().__init__(*args, **kw)
        self.weight_quant = FakeQuantize(bits)

    def forward(self, input):
        return nn.functional.linear(input, self.weight_quant(self.weight), self.bias)


class QuantNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.quant = FakeQuantize()
        self.fc1 = QuantLinear(6, 5)
        self.fc2 = QuantLinear(5, 4, bits=2, bias=False)

    def forward(self, x):
        x = self.quant(x)
        x = torch.fake_quantize_per_tensor_affine(self.fc1(x), 0.1, 0, -128, 127)
        return self.fc2(x)
