# SPDX-License-Identifier: GPL-3.0-or-later
# Activations and modes as enumerations, enumeration members as arguments.
# case: {"expr": "Net(Act.RELU)", "inputs": "torch.randn(2, 3)"}
# case: {"expr": "Net(Act['GELU'], mode=Mode.MEAN | Mode.SCALE)", "inputs": "torch.randn(2, 3)"}
# case: {"expr": "Net(Act('tanh'), mode=Mode.SUM)", "inputs": "torch.randn(2, 3)"}

import enum
from enum import Enum, auto

import torch
from torch import nn
import torch.nn.functional as F


class Act(Enum):
    RELU = "relu"
    GELU = "gelu"
    TANH = "tanh"

    def __call__(self, x):
        return getattr(F, self.value)(x)

    @property
    def gain(self):
        return {"relu": 2.0}.get(self.value, 1.0)


class Mode(enum.Flag):
    SUM = auto()
    MEAN = auto()
    SCALE = auto()


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Net(nn.Module):
    def __init__(self, act, mode=Mode.MEAN):
        super().__init__()
        self.act, self.mode = act, mode
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        x = self.act(self.fc(x))
        if Mode.SCALE in self.mode:
            x = x * self.act.gain
        x = x.sum(-1) if self.mode & Mode.SUM else x.mean(-1)
        return x * Level.HIGH, Level.LOW < Level.HIGH, self.act.name, [a.value for a in Act]
