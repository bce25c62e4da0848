# SPDX-License-Identifier: GPL-3.0-or-later
# One encoder used twice and a distance between both results.
# case: {"expr": "Siamese()", "inputs": "torch.randn(2, 5), torch.randn(2, 5)"}
# case: {"expr": "Siamese(metric='l1')", "inputs": "torch.randn(2, 5), torch.randn(2, 5)"}
# case: {"expr": "Siamese(metric='euclid')", "inputs": "torch.randn(2, 5), torch.randn(2, 5)"}

from torch import nn
import torch.nn.functional as F


class Siamese(nn.Module):
    def __init__(self, metric="cosine"):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(5, 4), nn.Hardtanh(), nn.Linear(4, 3))
        self.metric = getattr(self, "_" + metric)

    def _cosine(self, a, b):
        return F.cosine_similarity(a, b, dim=1)

    def _l1(self, a, b):
        return (a - b).abs().sum(dim=1)

    def _euclid(self, a, b):
        return F.pairwise_distance(a, b)

    def forward(self, left, right):
        return self.metric(self.encoder(left), self.encoder(right))
