# SPDX-License-Identifier: GPL-3.0-or-later
"""The autoencoder that torch.fx's paper quantizes, DeepRecommender, by its sizes."""
from torch import nn


class Recommender(nn.Module):
    def __init__(self):
        super().__init__()
        sizes = [17768, 512, 512, 1024, 512, 512, 17768]
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])])

    def forward(self, x):
        for layer in self.layers:
            x = nn.functional.selu(layer(x))
        return x
