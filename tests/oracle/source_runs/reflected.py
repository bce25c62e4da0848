# SPDX-License-Identifier: GPL-3.0-or-later
# Reflected operators by their names: Python has no symbol for a call of them on the traced value.
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, step):
        super().__init__()
        self.step = step

    def forward(self, x):
        return self.step(x)


STEPS = {
    "rsub": lambda x: (x.__rsub__(3), x.__rsub__(torch.ones(2)), x.__rsub__(2.5)),
    "rtruediv": lambda x: (x.__rtruediv__(3), x.__rtruediv__(torch.arange(2.0))),
    "rpow": lambda x: (x.__rpow__(3), x.__rpow__(2.0), x.__rpow__(torch.full((2,), 3.0))),
    "rfloordiv": lambda x: (x.__rfloordiv__(7), x.__rfloordiv__(-7.5)),
    "rmod": lambda x: (x.__rmod__(5), x.__rmod__(torch.tensor([7.5, -7.5]))),
    "rmatmul": lambda x: (x.__rmatmul__(torch.eye(2) * 3), x.__rmatmul__(torch.ones(2))),
    "rmul": lambda x: (x.__rmul__(3), x.__rmul__(torch.ones(2, dtype=torch.float64))),
    "symbols": lambda x: (3 - x, torch.ones(2) - x, torch.ones(2) / x, 3 % x, torch.eye(2) @ x, torch.ones(2) ** x, 2 ** x),
    "radd": lambda x: (x.__radd__(3), x.__radd__(torch.ones(2))),
}


def reflected(name):
    return Net(STEPS[name])


CASES = []
for name in STEPS:
    CASES.append(lambda name=name: reflected(name))
    CASES[-1].__name__ = f"reflected({name!r})"


def inputs():
    return [torch.tensor([1.5, -2.0])]
