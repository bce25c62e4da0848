# SPDX-License-Identifier: GPL-3.0-or-later
# Model, pattern and replacement of the rewriter's example.
# case: {"expr": "M()", "inputs": "torch.rand(2, 2), torch.rand(2, 2), torch.rand(2, 2)"}
# case: {"expr": "pattern", "inputs": "torch.rand(2, 2), torch.rand(2, 2)"}
# case: {"expr": "replacement", "inputs": "torch.rand(2, 2), torch.rand(2, 2)"}

import torch


class M(torch.nn.Module):
    def forward(self, x, w1, w2):
        m1 = torch.cat([w1, w2]).sum()
        m2 = torch.cat([w1, w2]).sum()
        return x + torch.max(m1) + torch.max(m2)


def pattern(w1, w2):
    return torch.cat([w1, w2]).sum()


def replacement(w1, w2):
    return torch.stack([w1, w2])
