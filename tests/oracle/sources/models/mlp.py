# SPDX-License-Identifier: GPL-3.0-or-later
# A perceptron whose sizes are arguments; activations by name.
# case: {"expr": "MLP(4, [8, 8], 2)", "inputs": "torch.randn(3, 4)"}
# case: {"expr": "MLP(4, [], 1, activation='tanh')", "inputs": "torch.randn(3, 4)"}
# case: {"expr": "MLP(6, [5], 3, activation='leaky', dropout=0.3, norm=True)", "inputs": "torch.randn(3, 6)"}
# case: {"expr": "MLP(6, [5], 3, activation='leaky', dropout=0.3)", "inputs": "torch.randn(3, 6)", "train": true}

import torch
from torch import nn


class MLP(nn.Module):
    activations = {
        "relu": nn.ReLU,
        "tanh": nn.Tanh,
        "leaky": lambda: nn.LeakyReLU(0.2),
    }

    def __init__(self, n_in, hidden, n_out, *, activation="relu", dropout=0.0, norm=False):
        super().__init__()
        sizes = [n_in, *hidden, n_out]
        layers = []
        for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:])):
            layers.append(nn.Linear(a, b))
            if i == len(sizes) - 2:
                break
            if norm:
                layers.append(nn.LayerNorm(b))
            layers.append(self.activations[activation]())
            if dropout > 0:
                layers.append(nn.Dropout(dropout))
        self.net = nn.Sequential(*layers)

    def forward(self, x):
        return self.net(x)
