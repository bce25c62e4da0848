# SPDX-License-Identifier: GPL-3.0-or-later
# Twins that share a trunk with a parametrized layer, distances in a registry of the class, a triplet loss.
# case: {"expr": "Siamese()", "inputs": "torch.randn(4, 1, 28, 28), torch.randn(4, 1, 28, 28)"}
# case: {"expr": "Siamese(distance='cosine', tie=True)", "inputs": "torch.randn(4, 1, 28, 28), torch.randn(4, 1, 28, 28)"}
# case: {"expr": "Triplet()", "inputs": "torch.randn(2, 6), torch.randn(2, 6), torch.randn(2, 6)"}
import torch
import torch.nn.functional as F
from torch import nn


class Trunk(nn.Module):
    __constants__ = ["dim"]
    dim: int = 10

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(1, 4, 5), nn.PReLU(), nn.MaxPool2d(2, 2), nn.Conv2d(4, 8, 5), nn.PReLU(4 * 2), nn.MaxPool2d(2))
        self.fc = nn.utils.parametrizations.weight_norm(nn.Linear(8 * 4 * 4, self.dim), name="weight")

    def __len__(self):
        return len(self.layers) + 1

    def __getitem__(self, i):
        return self.layers[i] if i < len(self.layers) else self.fc

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return F.normalize(self.fc(x.flatten(start_dim=1)), p=2.0, dim=1)


class Siamese(nn.Module):
    _distances = {}

    @classmethod
    def distance(cls, name):
        def add(fn):
            cls._distances[name] = fn
            return fn
        return add

    def __init__(self, distance="l1", tie=False):
        super().__init__()
        self.trunk = Trunk()
        self.left = self.right = self.trunk
        self.kind = distance
        self.proj_a = nn.Linear(10, 10)
        self.proj_b = nn.Linear(10, 10)
        if tie:
            self.proj_b.weight = self.proj_a.weight
            del self.proj_b.bias
            self.proj_b.register_parameter("bias", None)

    def forward(self, a, b):
        ea, eb = self.proj_a(self.left(a)), self.proj_b(self.right(b))
        d = type(self)._distances[self.kind](ea, eb)
        return torch.sigmoid(-d), len(self.trunk), (ea, eb)


@Siamese.distance("l1")
def _l1(a, b):
    return (a - b).abs().sum(1)


@Siamese.distance("cosine")
def _cosine(a, b):
    return 1 - F.cosine_similarity(a, b, dim=-1, eps=1e-6)


class Triplet(nn.Module):
    margin = property(lambda self: self._margin, lambda self, v: setattr(self, "_margin", float(v)))

    def __init__(self):
        super().__init__()
        self.net = nn.Bilinear(6, 6, 3)
        self.margin = 1
        self.loss = nn.TripletMarginLoss(margin=self.margin, p=2)

    def forward(self, anchor, positive, negative):
        e = [self.net(x, x) for x in (anchor, positive, negative)]
        return self.loss(*e), F.triplet_margin_loss(*e, margin=self.margin), F.pairwise_distance(e[0], e[1])
