# SPDX-License-Identifier: GPL-3.0-or-later
# What `draw` prints is pydot's own where there is one, and is not compared here: tests/oracle/fx_passes/drawing.py has the labels.
# passes: ../../../plugins/passes/annotating.py
# case: getitem_types Pair() annotate_getitem
# case: normalize_names Net() normalize_arguments
# case: normalize_positions Net() normalize_arguments --by-name False
# case: schema_types Net() annotate_by_schema
# case: schema_functions Net() annotate_by_schema --modules False --attributes False
# case: retrace_sizes Net() RetraceOnMeta
# case: node_sizes Layers() NodeSizes
# case: types_known Layers() CheckTypes
# case: types_any_batch Layers() CheckTypes --any-batch True
# case: types_symbolic Layers() CheckTypes --any-batch True --symbolic True
# case: types_wrong Wrong() CheckTypes
# case: lowering_attributes Lowered() lowering_attributes
# case: lowering_unknown Net() lowering_attributes
# case: lowering_refused Refused() lowering_attributes

from typing import List, Tuple

import torch
import torch.nn as nn
from torch import Tensor

IMAGE = torch.linspace(-1, 1, 64).reshape(2, 2, 4, 4)
INPUTS = {"Net()": (IMAGE,), "Layers()": (IMAGE,), "Wrong()": (IMAGE,), "Pair()": ((IMAGE, [2, 3]),), "Lowered()": (IMAGE,), "Refused()": (IMAGE,)}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.head = nn.Conv2d(2, 3, 3), nn.Linear(12, 4)
        self.scale = nn.Parameter(torch.ones(4))

    def forward(self, x: Tensor):
        y = self.conv(x).reshape(x.shape[0], -1)
        values, places = torch.max(torch.add(self.head(y), 1, alpha=2) * self.scale, 1)
        return torch.softmax(values, 0), places


class Pair(nn.Module):
    def forward(self, pair: Tuple[Tensor, List[int]]):
        return pair[0] * pair[1][0]


class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.act, self.head = nn.Conv2d(2, 3, 3), nn.BatchNorm2d(3), nn.ReLU(), nn.Linear(12, 4)

    def forward(self, x):
        return self.head(torch.flatten(self.act(self.norm(self.conv(x))), 1))


class Wrong(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 3, 3)

    def forward(self, x):
        return self.conv(x)


class Lowered(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.act = nn.Conv2d(2, 3, 3, stride=2, bias=False), nn.BatchNorm2d(3), nn.ReLU(inplace=True)
        self.pool = nn.MaxPool2d(1)

    def forward(self, x):
        return self.pool(self.act(self.norm(self.conv(x))))


class Refused(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.GELU()

    def forward(self, x):
        return self.act(x)
