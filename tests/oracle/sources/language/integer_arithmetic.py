# SPDX-License-Identifier: GPL-3.0-or-later
# Numbers that configure layers: division, rounding, powers, bit operations, bases.
# case: {"expr": "Net(7)", "inputs": "torch.randn(1, 8)"}

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        width = -(-n // 4) * 4
        hidden = max(int(round(width * 1.5)), width & ~3, 1 << (n.bit_length() - 1))
        hidden -= hidden % 2
        self.fc1 = nn.Linear(width, hidden)
        self.fc2 = nn.Linear(hidden, int("1010", 2) // 5)
        self.p = round(2 / 3, 3)
        self.big = 2**70 % 1000003

    def forward(self, x):
        x = self.fc1(x) * self.p
        q, r = divmod(-7, 3)
        x = x + q * r + 0x1F + 0b11 + 1_000 + pow(3, 4, 5) + abs(-2.5) + int(3.99) + float("1e3") + min(3, 1, 2)
        return self.fc2(x), self.big, 7 // 2 * 2.0, -7 // 2, 7 % -3, 1 / 3, hash(1), bool(""), hex(255), 10**20, 3e-5
