# SPDX-License-Identifier: GPL-3.0-or-later
# passes: ../../../plugins/passes/quantization.py
# case: observe_all Net() insert_observers
# case: observe_relu Net() insert_observers --kinds relu
# case: observe_unknown Net() insert_observers --kinds lstm
# case: quantize_all Net() insert_quant_dequant
# case: quantize_scaled Net() insert_quant_dequant --kinds linear --scale 0.25 --zero-point 3

import torch
import torch.nn as nn

INPUTS = (torch.linspace(-1, 1, 32).reshape(1, 2, 4, 4),)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.act = nn.Conv2d(2, 3, 3), nn.ReLU()
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(12, 4), nn.ReLU(), nn.Linear(4, 2))

    def forward(self, x):
        y = self.act(self.conv(x))
        return self.head(y), y
