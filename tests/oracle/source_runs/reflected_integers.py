# SPDX-License-Identifier: GPL-3.0-or-later
# Reflected operators of integers by their names.
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, step):
        super().__init__()
        self.step = step

    def forward(self, x):
        return self.step(x)


STEPS = {
    "rlshift": lambda x: (x.__rlshift__(3), x.__rlshift__(torch.tensor([1, 2]))),
    "rrshift": lambda x: (x.__rrshift__(300), x.__rrshift__(torch.tensor([64, -64]))),
    "rand": lambda x: (x.__rand__(5), x.__rand__(torch.tensor([6, 2]))),
    "ror": lambda x: (x.__ror__(8), x.__ror__(torch.tensor([6, -2]))),
    "rxor": lambda x: (x.__rxor__(5), x.__rxor__(torch.tensor([6, -2]))),
    "rfloordiv": lambda x: (x.__rfloordiv__(7), x.__rfloordiv__(-7)),
    "rmod": lambda x: (x.__rmod__(7), x.__rmod__(-7)),
    "rpow": lambda x: (x.__rpow__(2), x.__rpow__(2.5)),
    "rsub": lambda x: (x.__rsub__(7), x.__rsub__(2.5)),
    "rtruediv": lambda x: (x.__rtruediv__(7),),
}


def reflected(name):
    return Net(STEPS[name])


CASES = []
for name in STEPS:
    CASES.append(lambda name=name: reflected(name))
    CASES[-1].__name__ = f"reflected({name!r})"


def inputs():
    return [torch.tensor([1, 3])]
