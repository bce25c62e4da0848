# SPDX-License-Identifier: GPL-3.0-or-later
# Named tuples of three makings as result, as argument and taken apart.
# case: {"expr": "forward", "inputs": "torch.ones(2)"}
# case: {"expr": "Net()", "inputs": "torch.ones(2, 3)"}

from collections import namedtuple
from typing import NamedTuple, Optional

import torch
from torch import nn

Pair = namedtuple("Pair", "left right")
Options = namedtuple("Options", ["scale", "shift"], defaults=(0.5,))


class Output(NamedTuple):
    logits: torch.Tensor
    hidden: Optional[torch.Tensor] = None
    count: int = 3

    def best(self):
        return self.logits.argmax(-1)


def forward(x):
    options = Options(2.0)
    pair = Pair(left=x * options.scale, right=x + options.shift)
    left, right = pair
    swapped = pair._replace(left=right)
    return Pair(swapped.left + pair[1], left - right)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def encode(self, x):
        h = self.fc(x)
        return Output(h.softmax(-1), hidden=h)

    def forward(self, x):
        out = self.encode(x)
        return Output(out.logits, out.best(), out.count + len(out._fields))
