# SPDX-License-Identifier: GPL-3.0-or-later
# Additions that become multiplications or other functions.
# case: {"expr": "M()", "inputs": "torch.rand(3), torch.rand(3)"}
# case: {"expr": "tanh_chain", "inputs": "torch.rand(3)"}

import torch


class M(torch.nn.Module):
    def forward(self, x, y):
        return torch.add(x, y) + torch.add(y, 1)


def tanh_chain(x):
    return torch.tanh(torch.relu(x)).relu().tanh()
