# SPDX-License-Identifier: GPL-3.0-or-later
# passes: ../../../plugins/passes/adapters.py
# case: lora_all Net() insert_lora
# case: lora_some Net() insert_lora --rank 2 --alpha 1.5 --name attention

import torch
import torch.nn as nn

INPUTS = (torch.linspace(-1, 1, 12).reshape(2, 6),)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(6, 6), nn.Linear(6, 6), nn.Linear(6, 6, bias=False)

    def forward(self, x):
        return torch.softmax(self.q(x) @ self.k(x).t(), -1) @ self.v(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention, self.head = Attention(), nn.Linear(6, 3)

    def forward(self, x):
        return self.head(self.head.weight.mean() + self.attention(x))
