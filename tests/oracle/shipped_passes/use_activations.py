# SPDX-License-Identifier: GPL-3.0-or-later
# passes: ../../../plugins/passes/activations.py
# case: swap_relu Mixed() swap_activation
# case: swap_to_silu Mixed() swap_activation --new silu
# case: swap_tanh Mixed() swap_activation --old tanh --new mish
# case: swap_nothing Mixed() swap_activation --old leaky_relu
# case: swap_unknown Mixed() swap_activation --new swish

import torch
import torch.nn as nn
import torch.nn.functional as F

INPUTS = (torch.linspace(-2, 2, 12).reshape(3, 4),)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU(inplace=True)
        self.gate = nn.Tanh()

    def forward(self, x):
        return self.act(x) * self.gate(x)


class Mixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two, self.act = Block(), Block(), nn.ReLU()

    def forward(self, x):
        y = self.one(F.relu(x, inplace=False)) + torch.relu(self.two(x - 1))
        return self.act(self.act(y) - x.relu()) + F.relu(input=x).tanh()
