# SPDX-License-Identifier: GPL-3.0-or-later
# Recommendation: embeddings of several features per side, a dot product between towers.
# case: {"expr": "TwoTowers({'user': 7, 'country': 3}, {'item': 9}, 4)", "inputs": "{'user': torch.tensor([1, 2]), 'country': torch.tensor([0, 2])}, {'item': torch.tensor([3, 8])}"}

from typing import Dict

import torch
from torch import Tensor, nn


class Tower(nn.Module):
    def __init__(self, cardinalities: Dict[str, int], dim: int):
        super().__init__()
        self.embeddings = nn.ModuleDict()
        for feature, n in sorted(cardinalities.items()):
            self.embeddings[feature] = nn.Embedding(n, dim)
        self.mlp = nn.Sequential(nn.Linear(dim * len(cardinalities), dim), nn.ReLU(), nn.Linear(dim, dim))

    def forward(self, features: Dict[str, Tensor]) -> Tensor:
        parts = [table(features[name]) for name, table in self.embeddings.items()]
        return nn.functional.normalize(self.mlp(torch.cat(parts, dim=-1)), p=2.0, dim=-1)


class TwoTowers(nn.Module):
    def __init__(self, left, right, dim):
        super().__init__()
        self.left = Tower(left, dim)
        self.right = Tower(right, dim)
        self.temperature = nn.Parameter(torch.tensor(0.07))

    def forward(self, query: Dict[str, Tensor], item: Dict[str, Tensor]) -> Tensor:
        q, i = self.left(query), self.right(item)
        return torch.sum(q * i, dim=-1) / self.temperature.exp()
