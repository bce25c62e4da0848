# SPDX-License-Identifier: GPL-3.0-or-later
# All experts run and are weighted by a gate; a second form takes the top two.
# case: {"expr": "DenseMoE(4, 3)", "inputs": "torch.randn(5, 4)"}
# case: {"expr": "TopTwo(4, 3)", "inputs": "torch.randn(5, 4)"}

import torch
from torch import nn


class Expert(nn.Sequential):
    def __init__(self, dim, hidden):
        super().__init__(nn.Linear(dim, hidden), nn.SiLU(), nn.Linear(hidden, dim))


class DenseMoE(nn.Module):
    def __init__(self, dim, n):
        super().__init__()
        self.experts = nn.ModuleList(Expert(dim, 2 * dim) for _ in range(n))
        self.gate = nn.Linear(dim, n, bias=False)

    def forward(self, x):
        weights = self.gate(x).softmax(dim=-1)
        outputs = torch.stack([expert(x) for expert in self.experts], dim=-1)
        return (outputs * weights.unsqueeze(-2)).sum(-1)


class TopTwo(DenseMoE):
    def forward(self, x):
        logits = self.gate(x)
        top, index = torch.topk(logits, k=2, dim=-1)
        gates = torch.zeros_like(logits).scatter(-1, index, top.softmax(-1))
        result = 0
        for i, expert in enumerate(self.experts):
            result = result + gates[:, i : i + 1] * expert(x)
        return result
