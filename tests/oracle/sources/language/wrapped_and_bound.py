# SPDX-License-Identifier: GPL-3.0-or-later
# Decorated forwards, operators by their methods, containers of a class of their own as arguments.
# case: {"expr": "Decorated(3)", "inputs": "torch.randn(2, 3)"}
# case: {"expr": "NoGrad(3)", "inputs": "torch.randn(2, 3)"}
# case: {"expr": "named_pair", "concrete": {"p": "Pair(PH, 3)"}, "inputs": "Pair(torch.ones(2), 3)"}
# case: {"expr": "ordered", "concrete": {"d": "OrderedDict(b=PH, a=[PH, 2])"}, "inputs": "OrderedDict(b=torch.ones(2), a=[torch.ones(2), 2])"}
# case: {"expr": "operator_methods", "inputs": "torch.arange(4)"}
# case: {"expr": "variable_arguments", "inputs": "torch.rand(4)"}
# case: {"expr": "by_keyword", "inputs": "torch.rand(4)"}
# case: {"expr": "Deep()", "inputs": "torch.randn(2, 3)"}
import functools
import weakref
from collections import OrderedDict, namedtuple
from typing import Any, List, Optional, Tuple, Union

import torch
from torch import nn

Pair = namedtuple("Pair", ["a", "b"])


def scaled(by):
    def outer(forward):
        @functools.wraps(forward)
        def inner(self, *args, **kwargs):
            return forward(self, *args, **kwargs) * by

        return inner

    return outer


class Decorated(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, n)
        self.ref = weakref.ref(self.fc)

    @torch.inference_mode()
    @scaled(3)
    def forward(self, x):
        return self.ref()(x)


class NoGrad(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, n)

    @torch.no_grad()
    def forward(self, x: torch.Tensor, scale: float = 2.0) -> torch.Tensor:
        return self.fc(x) * scale


def named_pair(p: Pair):
    return Pair(p.a * p.b, p[0] + 1)


def ordered(d):
    d.move_to_end("b")
    first, (second, number) = d["b"], d["a"]
    return OrderedDict(sum=first + second, scaled=second * number, keys=len(list(d)))


def operator_methods(x):
    y = x.__add__(1), x.__radd__(2), x.__rsub__(x), x.__neg__(), x.__and__(x.__gt__(0)), x.__or__(1), x.__invert__()
    return [v.sum() for v in y[:4]]


def variable_arguments(x: torch.Tensor, y: Optional[Union[int, torch.Tensor]] = None, *rest: float, k: List[int] = [1], **kw: Any) -> Tuple[torch.Tensor, ...]:
    return x * 2, x


def by_keyword(x: torch.Tensor, *, k: int = 3) -> torch.Tensor:
    return x + k


class Deep(nn.Module):
    """What is deep is called first, and a parameter is read before its module is called."""

    def __init__(self):
        super().__init__()
        self.unused, self.last, self.first = nn.Linear(2, 2), nn.Linear(3, 3), nn.Sequential(nn.Linear(3, 3), nn.Tanh())
        self.late = nn.Parameter(torch.ones(3))
        self.early = nn.Parameter(torch.zeros(3))
        self.deep = nn.ModuleDict({"b": nn.ModuleList([nn.ReLU(), nn.Identity()]), "a": nn.LayerNorm(3)})

    def forward(self, x):
        x = self.deep["b"][0](self.first[0](x)) + self.early * self.last.weight.sum()
        return self.last(self.deep["a"](x)) * self.late
