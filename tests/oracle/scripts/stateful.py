# SPDX-License-Identifier: GPL-3.0-or-later
"""A program that takes another model's weights, and states that fit it or do not."""

import torch
from torch import nn


class Stateful(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4))
        self.out = nn.Linear(4, 4)
        self.again = nn.Linear(4, 4)
        self.again.weight = self.out.weight
        self.scale = nn.Parameter(torch.tensor(2.0))
        self.register_buffer("shift", torch.zeros(4))
        self.register_buffer("step", torch.zeros(1), persistent=False)

    def forward(self, x):
        return self.again(self.out(self.body(x))) * self.scale + self.shift + self.step


def states(program):
    """Name and state_dict: sound ones, and such that load_state_dict refuses."""
    sound = {k: torch.rand_like(v) if v.is_floating_point() else v + 1 for k, v in program.state_dict().items()}
    sound["again.weight"] = sound["out.weight"]
    yield "sound", sound
    yield "wrapped", {"module." + k: v for k, v in sound.items()}
    yield "double", {k: v.double() if v.is_floating_point() else v for k, v in sound.items()}
    yield "scalar", {**sound, "scale": torch.ones(1) * 3}
    yield "missing", {k: v for k, v in sound.items() if k not in ("shift", "body.1.running_mean", "out.weight")}
    yield "unexpected", {**sound, "more": torch.ones(1), "body.7.weight": torch.ones(1), "shift.x": torch.ones(1)}
    yield "shapes", {**sound, "body.0.weight": torch.ones(4, 2), "shift": torch.ones(1, 4), "more": torch.ones(1)}
    yield "empty", {"nothing": torch.ones(1)}
