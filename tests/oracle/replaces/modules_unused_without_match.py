# SPDX-License-Identifier: GPL-3.0-or-later
"""Submodules that nothing calls go even where nothing matches."""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.used = torch.nn.ReLU()

    def forward(self, x):
        return self.used(x)


model = torch.fx.symbolic_trace(Model())
model.add_submodule("extra.deep", torch.nn.Linear(2, 2))


def pattern(x):
    return torch.exp(x)


class Replacement(torch.nn.Module):
    def forward(self, x):
        return x.exp()


replacement = Replacement()
